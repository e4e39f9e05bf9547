import { isConfigApiError } from '../../client/config/config-api-error.ts';
import { parentOf, workspaceName } from '../../client/config/resource-names.ts';
import { slugOf } from './live.ts';
import { CommandFailed } from '../failure.ts';
import { cell } from '../table.ts';
import type { Api } from './api.ts';
import { atOnce } from './at-once.ts';
import { destinationOf } from './below.ts';
import { asInApi, computedName } from './computed.ts';
import { computedNames, type Step } from './differences.ts';
import type { PlanNode, WorkspaceNode } from './model.ts';
import { keysOf } from './model.ts';

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

/** Takes steps; knows the names of plans, audiences and computed traits that were made on the way. */
export function createTaker(api: Api, names: ReadonlyMap<string, string>): (step: Step) => Promise<void> {
  const known = new Map(names);
  return (step) => take(api, step, known);
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

async function take(api: Api, step: Step, names: Map<string, string>): Promise<void> {
  const { kind, action, name, fields } = step;
  switch (kind) {
    case 'schemaConfig':
      return api.updateSchemaConfig(name, fields);
    case 'quota':
      return api.updateQuota(name, fields);
    case 'connection': {
      const plan = names.get(step.plan ?? '') ?? '';
      return action === 'delete' ? api.disconnect(plan, name) : api.connect(plan, name);
    }
    case 'workspaces':
    case 'sources':
    case 'destinations':
    case 'filters':
    case 'trackingPlans':
      if (action === 'delete') return api.remove(kind, name);
      if (action === 'update') return api.update(kind, name, fields);
      return create(api, step, kind, names);
    case 'audiences':
    case 'computedTraits': {
      const workspace = workspaceIn(name);
      const named = asInApi(fields, workspace, names);
      if (action === 'update') return api.update(kind, name, named);
      const made = await api.create(kind, name, named);
      names.set(step.label, computedName(workspace, kind, slugOf(made)));
    }
  }
}

async function create(
  api: Api,
  step: Step,
  kind: Parameters<Api['create']>[0],
  names: Map<string, string>,
): Promise<void> {
  const { name, label, fields } = step;
  if (kind === 'filters' || kind === 'trackingPlans') {
    const made = await api.create(kind, name, fields);
    if (kind === 'trackingPlans')
      names.set(label, `${workspaceName(workspaceIn(name))}/tracking-plans/${slugOf(made)}`);
    return;
  }
  await api.create(kind, parentOf(name), { ...fields, name });
}

function workspaceIn(name: string): string {
  return name.split('/')[1] ?? '';
}
