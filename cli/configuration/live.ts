import { destinationName, sourceName, workspaceName } from '../../client/config/resource-names.ts';
import type { Api } from './api.ts';
import { atOnce } from './at-once.ts';
import { type Below, readBelow, saysSchemaConfig } from './below.ts';
import { asInFile } from './computed.ts';
import { unlessDeleted, unlessMissing } from './missing.ts';
import { fieldsOf, slugOf } from './fields.ts';
import type { ComputedKind, DestinationNode, Fields, PlanNode, SourceNode, Unnamed, WorkspaceNode } from './model.ts';

/** How many sources are read at once. */
const READ_AT_ONCE = 8;

/**
 * A workspace as a router has it; undefined when it has none of this name. With what a file wants, only what that says something of is
 * read below its sources.
 */
export async function readWorkspace(
  api: Api,
  workspace: string,
  wanted?: WorkspaceNode,
): Promise<WorkspaceNode | undefined> {
  const name = workspaceName(workspace);
  const found = await api.get('workspaces', name).catch(unlessMissing);
  if (found === undefined) return undefined;
  const listed = await api.list('sources', name);
  const below = await readBelow(api, name, listed.length, wanted);
  const sources = await atOnce(READ_AT_ONCE, listed, async (source) => {
    const slug = slugOf(source);
    const own = wanted && (wanted.sources.get(slug) ?? NO_SOURCE);
    const gone = unlessDeleted(api, 'sources', sourceName(workspace, slug));
    const read = await readSource({ api, below, workspace }, source, own).catch(gone);
    return read === undefined ? [] : [[slug, read] as const];
  });
  return {
    fields: fieldsOf('workspaces', found),
    quota: await readQuota(api, name),
    sources: new Map(sources.flat()),
    plans: await atOnce(READ_AT_ONCE, await api.list('trackingPlans', name), (plan) => readPlan(api, plan)),
    computed: await readComputed(api, name),
  };
}

/** A router of an earlier version has none. */
async function readQuota(api: Api, workspace: string): Promise<Fields> {
  return fieldsOf('quota', (await api.quota(workspace).catch(unlessMissing)) ?? {});
}

/** A router of an earlier version has none. */
async function readComputed(api: Api, workspace: string): Promise<WorkspaceNode['computed']> {
  const list = async (kind: ComputedKind) => (await api.list(kind, workspace).catch(unlessMissing)) ?? [];
  const [audiences, computedTraits] = [await list('audiences'), await list('computedTraits')];
  const all = [...audiences, ...computedTraits];
  const titles = new Map(all.map(({ name, display_name: title }) => [String(name), String(title)]));
  const nodesOf = (kind: ComputedKind, found: readonly Fields[]): readonly Unnamed[] =>
    found.map((one) => ({ fields: asInFile(fieldsOf(kind, one), titles), name: String(one['name']) }));
  return {
    audiences: nodesOf('audiences', audiences),
    computedTraits: nodesOf('computedTraits', computedTraits),
  };
}

const NO_SOURCE: SourceNode = { fields: {}, schemaConfig: {}, destinations: undefined };

interface Reading {
  readonly api: Api;
  readonly below: Below;
  readonly workspace: string;
}

async function readSource(
  { api, below, workspace }: Reading,
  source: Fields,
  wanted?: SourceNode,
): Promise<SourceNode> {
  const slug = slugOf(source);
  const name = sourceName(workspace, slug);
  const read = { fields: fieldsOf('sources', source) };
  const isSaid = wanted === undefined || saysSchemaConfig(wanted);
  const schemaConfig = isSaid ? fieldsOf('schemaConfig', await below.schemaConfig(name)) : {};
  if (wanted !== undefined && wanted.destinations === undefined)
    return { ...read, schemaConfig, destinations: undefined };
  const destinations = new Map<string, DestinationNode>();
  for (const destination of await below.destinations(name)) {
    const own = slugOf(destination);
    const isFiltered = wanted === undefined || wanted.destinations?.get(own)?.filters !== undefined;
    const place = destinationName(workspace, slug, own);
    const gone = unlessDeleted(api, 'destinations', place);
    const filters = isFiltered ? await below.filters(place).catch(gone) : undefined;
    if (isFiltered && filters === undefined) continue;
    destinations.set(own, readDestination(destination, filters));
  }
  return { ...read, schemaConfig, destinations };
}

function readDestination(destination: Fields, filters: readonly Fields[] | undefined): DestinationNode {
  return {
    fields: fieldsOf('destinations', destination),
    filters: filters?.map((filter): Unnamed => ({ fields: fieldsOf('filters', filter), name: String(filter['name']) })),
  };
}

async function readPlan(api: Api, plan: Fields): Promise<PlanNode> {
  const name = String(plan['name']);
  const sources = (await api.connections(name)).map((source) => source.split('/').at(-1) ?? source);
  return { fields: fieldsOf('trackingPlans', plan), name, sources: sources.toSorted() };
}
