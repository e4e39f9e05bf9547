import { isDeepStrictEqual } from 'node:util';
import { destinationName, sourceName, workspaceName } from '../../client/config/resource-names.ts';
import { CommandFailed } from '../failure.ts';
import { isObject } from '../contract/schemas.ts';
import { labelOf, referencesIn } from './computed.ts';
import { type Kind, kindRow } from './kinds.ts';
import {
  COMPUTED_KINDS,
  type DestinationNode,
  type Fields,
  keysOf,
  type PlanNode,
  type SourceNode,
  type Unnamed,
  type WorkspaceNode,
} from './model.ts';

/** One change that leads from what a router has to what a file wants. */
export interface Step {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: Kind | 'schemaConfig' | 'quota' | 'connection';
  /** As people read it: `main/web/webhooks`, `main/plan "Shop"`. */
  readonly label: string;
  /** The full name; of what is created without one, and of a connection, that of its parent. */
  readonly name: string;
  readonly fields: Fields;
  readonly before: Fields;
  /** The label of the plan that a connection is of: its name may not be known yet. */
  readonly plan?: string;
  /** Whether all others wait for it. */
  readonly isFirst?: boolean;
}

/** All steps of a workspace, in an order in which they can be taken but for keys that move. Nothing is deleted but connections. */
export function differences(
  workspace: string,
  wanted: WorkspaceNode,
  live: WorkspaceNode | undefined,
): readonly Step[] {
  const plans = planSteps(workspace, wanted, live);
  const sources = [...wanted.sources].map(([slug, source]) => ({ slug, source, now: live?.sources.get(slug) }));
  return [
    ...stepsOf('workspaces', { label: workspace, name: workspaceName(workspace) }, wanted.fields, live?.fields),
    ...quotaSteps(workspace, wanted, live),
    ...sources.flatMap(({ slug, source, now }) =>
      stepsOf('sources', sourceAt(workspace, slug), source.fields, now?.fields),
    ),
    ...sources.flatMap(({ slug, source, now }) => schemaConfigSteps(workspace, slug, source, now)),
    ...plans,
    ...sources.flatMap(({ slug, source, now }) => destinationSteps(workspace, slug, source, now)),
    ...computedSteps(workspace, wanted, live),
  ];
}

export interface Place {
  readonly label: string;
  readonly name: string;
}

export function sourceAt(workspace: string, slug: string): Place {
  return { label: `${workspace}/${slug}`, name: sourceName(workspace, slug) };
}

function stepsOf(kind: Kind, place: Place, wanted: Fields, live: Fields | undefined): readonly Step[] {
  if (live === undefined) return [{ action: 'create', kind, ...place, fields: wanted, before: {} }];
  const fields = changedFields(kind, wanted, live);
  const fixed = Object.keys(fields).find((field) => !kindRow(kind).updated.includes(field));
  if (fixed !== undefined)
    throw new CommandFailed(`${place.label}: ${fixed} cannot change once it exists; delete it, and apply again`);
  return Object.keys(fields).length === 0 ? [] : [{ action: 'update', kind, ...place, fields, before: live }];
}

/** Fields of the file with other values than those of the router. What the file does not say stays as it is. */
function changedFields(kind: Kind, wanted: Fields, live: Fields): Fields {
  const { nested } = kindRow(kind).row;
  const changed = Object.entries(wanted).flatMap(([field, value]) => {
    const now = live[field];
    if (field === 'config') return changedEntries(value, now);
    if (Object.hasOwn(nested, field) && isObject(value) && isObject(now)) {
      const inner = Object.entries(value).filter(([name, one]) => !isDeepStrictEqual(one, now[name]));
      return inner.length === 0 ? [] : [[field, Object.fromEntries(inner)] as const];
    }
    return isDeepStrictEqual(answered(field, value), now) ? [] : [[field, value] as const];
  });
  return Object.fromEntries(changed);
}

/** Rules are answered as they were sent, with a list of events at least. */
function answered(field: string, value: unknown): unknown {
  return field === 'rules' && isObject(value) ? { ...value, events: value['events'] ?? [] } : value;
}

/** The API merges entries by name, so only those that differ go there. Their types follow from the catalog, or the value. */
function changedEntries(wanted: unknown, live: unknown): readonly (readonly [string, unknown])[] {
  const [entries, now] = [wanted, live].map((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  const values = new Map(now?.map(({ name, value }) => [name, value]));
  const changed = entries?.filter(({ name, value }) => !values.has(name) || !isSameValue(value, values.get(name)));
  return changed === undefined || changed.length === 0 ? [] : [['config', changed]];
}

/** A setting without a value is answered with the empty one of its kind. */
function isSameValue(wanted: unknown, live: unknown): boolean {
  return isDeepStrictEqual(wanted, live) || (wanted === null && isEmpty(live));
}

function isEmpty(value: unknown): boolean {
  return [null, '', false, 0, [], {}].some((one) => isDeepStrictEqual(one, value));
}

/** A limit that is not set is one of 0. */
function quotaSteps(workspace: string, wanted: WorkspaceNode, live?: WorkspaceNode): readonly Step[] {
  const before = live?.quota ?? {};
  const changed = Object.entries(wanted.quota).filter(([field, value]) => (before[field] ?? 0) !== value);
  if (changed.length === 0) return [];
  const place = { label: `${workspace}/quota`, name: workspaceName(workspace) };
  return [{ action: 'update', kind: 'quota', ...place, fields: Object.fromEntries(changed), before }];
}

function schemaConfigSteps(workspace: string, slug: string, wanted: SourceNode, live?: SourceNode): readonly Step[] {
  const { name, label } = sourceAt(workspace, slug);
  const before = live?.schemaConfig ?? {};
  const changed = Object.entries(wanted.schemaConfig).filter(([field, value]) => before[field] !== value);
  if (changed.length === 0) return [];
  const fields = Object.fromEntries(changed);
  return [{ action: 'update', kind: 'schemaConfig', label: `${label}/schema-config`, name, fields, before }];
}

function planSteps(workspace: string, wanted: WorkspaceNode, live: WorkspaceNode | undefined): readonly Step[] {
  const parent = workspaceName(workspace);
  const pairs = paired(wanted.plans, live?.plans ?? [], 'display_name').map(({ key, one, now }) => ({
    one,
    now,
    place: { label: `${workspace}/tracking plan ${key}`, name: now?.name ?? parent },
  }));
  const own = pairs.flatMap(({ one, now, place }) => stepsOf('trackingPlans', place, one.fields, now?.fields));
  const ties = pairs.flatMap(({ one, now, place }) => connectionSteps(workspace, place, one, now));
  const joining = ties.filter(({ action }) => action === 'create');
  const told = new Set(pairs.flatMap(({ one, now }) => (one.sources === undefined ? [] : [now])));
  // A source belongs to one plan: it leaves before it joins, also a plan that the file does not hold.
  return [
    ...own,
    ...ties.filter(({ action }) => action === 'delete'),
    ...leavingSteps(workspace, live?.plans ?? [], told, new Set(joining.map(({ name }) => name))),
    ...joining,
  ];
}

/** Of plans of which the file does not tell the sources. */
function leavingSteps(
  workspace: string,
  plans: readonly PlanNode[],
  told: ReadonlySet<PlanNode | undefined>,
  joining: ReadonlySet<string>,
): readonly Step[] {
  const keys = keysOf(plans, 'display_name');
  return plans.flatMap((plan, index) => {
    if (told.has(plan)) return [];
    const label = `${workspace}/tracking plan ${keys[index]}`;
    const leaving = (plan.sources ?? []).filter((slug) => joining.has(sourceName(workspace, slug)));
    return leaving.map((slug) => connectionStep(workspace, label, 'delete', slug));
  });
}

function connectionSteps(workspace: string, plan: Place, wanted: PlanNode, live?: PlanNode): readonly Step[] {
  if (wanted.sources === undefined) return [];
  const [after, before] = [new Set(wanted.sources), new Set(live?.sources)];
  return [
    ...Array.from(before.difference(after), (slug) => connectionStep(workspace, plan.label, 'delete', slug)),
    ...Array.from(after.difference(before), (slug) => connectionStep(workspace, plan.label, 'create', slug)),
  ];
}

function connectionStep(workspace: string, plan: string, action: Step['action'], slug: string): Step {
  const [label, name] = [`${plan} for ${slug}`, sourceName(workspace, slug)];
  return { action, kind: 'connection', plan, fields: {}, before: {}, label, name };
}

function destinationSteps(workspace: string, slug: string, wanted: SourceNode, live?: SourceNode): readonly Step[] {
  return [...(wanted.destinations ?? [])].flatMap(([own, destination]) => {
    const now = live?.destinations?.get(own);
    const place = { label: `${workspace}/${slug}/${own}`, name: destinationName(workspace, slug, own) };
    return [
      ...stepsOf('destinations', place, destination.fields, now?.fields),
      ...filterSteps(place, destination, now),
    ];
  });
}

function filterSteps(destination: Place, wanted: DestinationNode, live?: DestinationNode): readonly Step[] {
  return paired(wanted.filters ?? [], live?.filters ?? [], 'title').flatMap(({ key, one, now }) => {
    const place = { label: `${destination.label}/filter ${key}`, name: now?.name ?? destination.name };
    return stepsOf('filters', place, one.fields, now?.fields);
  });
}

/** After all that they refer to, so that each can be made when its turn comes. */
function computedSteps(workspace: string, wanted: WorkspaceNode, live: WorkspaceNode | undefined): readonly Step[] {
  const places = COMPUTED_KINDS.flatMap((kind) => {
    const pairs = paired(wanted.computed[kind], live?.computed[kind] ?? [], 'display_name');
    return pairs.map((pair) => ({ ...pair, kind, label: labelOf(workspace, kind, pair.key) }));
  });
  const known = new Set([...places.map(({ label }) => label), ...computedNames(workspace, live).keys()]);
  const referred = places.map((place) => ({ ...place, needs: needsOf(workspace, place.one.fields) }));
  for (const { label, needs } of referred) {
    const missing = needs.find((need) => !known.has(need));
    if (missing !== undefined) throw new CommandFailed(`${label}: ${missing} is neither in the file nor on the router`);
  }
  return inOrder(referred).flatMap(({ kind, label, one, now }) =>
    stepsOf(kind, { label, name: now?.name ?? workspaceName(workspace) }, one.fields, now?.fields),
  );
}

/** The full names of audiences and computed traits of a router, by the labels of their steps. */
export function computedNames(workspace: string, live: WorkspaceNode | undefined): ReadonlyMap<string, string> {
  const named = COMPUTED_KINDS.flatMap((kind) => {
    const nodes = live?.computed[kind] ?? [];
    const keys = keysOf(nodes, 'display_name');
    return nodes.map(({ name = '' }, index) => [labelOf(workspace, kind, keys[index] ?? ''), name] as const);
  });
  return new Map(named);
}

function needsOf(workspace: string, fields: Fields): readonly string[] {
  return referencesIn(fields).map(([kind, title]) => labelOf(workspace, kind, JSON.stringify(title)));
}

interface Needing {
  readonly label: string;
  readonly needs: readonly string[];
}

/** What is needed comes before what needs it. A cycle is left to the API, which names it. */
function inOrder<Node extends Needing>(nodes: readonly Node[]): readonly Node[] {
  const done = new Set<Node>();
  const visit = (node: Node): void => {
    if (done.has(node)) return;
    done.add(node);
    for (const need of nodes.filter(({ label }) => node.needs.includes(label))) visit(need);
    ordered.push(node);
  };
  const ordered: Node[] = [];
  for (const node of nodes) visit(node);
  return ordered;
}

interface Pair<Node> {
  readonly key: string;
  readonly one: Node;
  readonly now: Node | undefined;
}

function paired<Node extends Unnamed>(
  wanted: readonly Node[],
  live: readonly Node[],
  title: string,
): readonly Pair<Node>[] {
  const known = new Map(keysOf(live, title).map((key, index) => [key, live[index]]));
  const keys = keysOf(wanted, title);
  return wanted.map((one, index) => ({ key: keys[index] ?? '', one, now: known.get(keys[index] ?? '') }));
}
