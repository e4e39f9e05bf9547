import { isConfigApiError } from '../../client/config/config-api-error.ts';
import { parentOf, workspaceName } from '../../client/config/resource-names.ts';
import { CommandFailed } from '../failure.ts';
import { cell } from '../table.ts';
import type { Api } from './api.ts';
import { atOnce } from './at-once.ts';
import { destinationOf } from './below.ts';
import { asInApi, computedName } from './computed.ts';
import { computedNames, type Step } from './differences.ts';
import { slugOf } from './fields.ts';
import type { Kind } from './kinds.ts';
import { type Fields, keysOf, type PlanNode, type WorkspaceNode } from './model.ts';
import { PlannedChanges } from './planned-changes.ts';

/** So many resources are changed at once: with a data folder, changes that wait together share a write of all of their workspace. */
export const CHANGED_AT_ONCE = 32;

/** Takes the steps, and tells of each once it is taken: what was told is done, also where another fails. */
export async function applySteps(
  api: Api,
  steps: readonly Step[],
  names: ReadonlyMap<string, string>,
  tell: (step: Step) => void,
): Promise<void> {
  const taker = createTaker(api, names);
  await inStages(steps, async (step) => {
    await taker(step);
    tell(step);
  });
}

/** Each stage once the one before is over; within it, what is of one resource in its order, beside that of others. */
export async function inStages(steps: readonly Step[], takeOne: (step: Step) => Promise<void>): Promise<void> {
  for (const stage of stagesOf(steps)) {
    const lines = Map.groupBy(stage, lineOf).values();
    await atOnce(CHANGED_AT_ONCE, lines, async (line) => {
      for (const step of line) await takeOne(step).catch((error: unknown) => failedAt(step, error));
    });
  }
}

/** Of all that are under way, an error of the API does not say which it is of. */
function failedAt({ label }: Step, error: unknown): never {
  throw isConfigApiError(error) ? new CommandFailed(`${cell(label)}: ${error.message}`, { cause: error }) : error;
}

/**
 * Steps that follow each other, and need nothing of each other but what is of the same resource. What is deleted with all below it
 * waits for all others: where one fails, it is still there.
 */
function stagesOf(steps: readonly Step[]): readonly Step[][] {
  const stages: Step[][] = [];
  let last: string | undefined;
  for (const step of steps) {
    const isLast = step.action === 'delete' && (step.kind === 'sources' || step.kind === 'destinations');
    const stage = `${step.kind === 'filters' ? 'destinations' : step.kind} ${step.isFirst === true} ${isLast}`;
    if (stage !== last) stages.push([]);
    stages.at(-1)?.push(step);
    last = stage;
  }
  return stages;
}

const ONE_BY_ONE: ReadonlySet<Step['kind']> = new Set(['trackingPlans', 'audiences', 'computedTraits']);

/** Filters are a chain, audiences and computed traits refer to each other, and plans are large: a router has room for some of them at once. */
function lineOf({ kind, name }: Step): string {
  return ONE_BY_ONE.has(kind) ? '' : destinationOf(name);
}

interface Taking {
  readonly api: Api;
  readonly changes: PlannedChanges;
  /** Those of plans, audiences and computed traits that were made on the way as well. */
  readonly names: Map<string, string>;
  /** Full names. */
  readonly made: Set<string>;
}

export function createTaker(api: Api, names: ReadonlyMap<string, string>): (step: Step) => Promise<void> {
  const taking = { api, changes: new PlannedChanges(api), names: new Map(names), made: new Set<string>() };
  return (step) => take(taking, step);
}

/** The names that a router gave, by the labels of steps. */
export function givenNames(workspace: string, live: WorkspaceNode | undefined): ReadonlyMap<string, string> {
  const plans: readonly PlanNode[] = live?.plans ?? [];
  const keys = keysOf(plans, 'display_name');
  return new Map([
    ...plans.map(({ name = '' }, index) => [`${workspace}/tracking plan ${keys[index]}`, name] as const),
    ...computedNames(workspace, live),
  ]);
}

async function take(taking: Taking, step: Step): Promise<void> {
  const { api, changes, names, made } = taking;
  const { kind, action, name, label, fields } = step;
  if (kind === 'connection') {
    const plan = names.get(step.plan ?? '') ?? '';
    return action === 'delete' ? api.disconnect(plan, name) : api.connect(plan, name);
  }
  const asNamed = (given: Fields): Fields =>
    kind === 'audiences' || kind === 'computedTraits' ? asInApi(given, workspaceIn(name), names) : given;
  const planned = { name, label, before: made.has(name) ? undefined : asNamed(step.before) };
  if (action === 'update') return changes.update({ ...planned, kind }, asNamed(fields));
  // What stands but once is only ever changed.
  if (kind === 'schemaConfig' || kind === 'quota') return;
  if (action === 'delete') return changes.remove({ ...planned, kind });
  await create(taking, { ...step, fields: asNamed(fields) }, kind);
}

async function create({ api, names, made }: Taking, { name, label, fields }: Step, kind: Kind): Promise<void> {
  if (kind === 'workspaces' || kind === 'sources' || kind === 'destinations') {
    await api.create(kind, parentOf(name), { ...fields, name });
    made.add(name);
    return;
  }
  const slug = slugOf(await api.create(kind, name, fields));
  const workspace = workspaceIn(name);
  if (kind === 'trackingPlans') names.set(label, `${workspaceName(workspace)}/tracking-plans/${slug}`);
  else if (kind !== 'filters') names.set(label, computedName(workspace, kind, slug));
}

function workspaceIn(name: string): string {
  return name.split('/')[1] ?? '';
}
