import type { Api, Whole } from './api.ts';
import { unlessMissing } from './missing.ts';
import type { DestinationNode, Fields, SourceNode, WorkspaceNode } from './model.ts';

/** What stands below the sources of a workspace, by the full names of sources and destinations. */
export interface Below {
  schemaConfig(source: string): Promise<Fields>;
  destinations(source: string): Promise<readonly Fields[]>;
  filters(destination: string): Promise<readonly Fields[]>;
}

/** How many of each are asked for. */
type Asked = Readonly<Record<Whole, number>>;

/** So many of each a request reads at most, … */
const FEW = 10;
/** … and of a large workspace this part: all of it takes as many requests, of a thousand each. */
const PART = 1 / 100;

/**
 * Read of each by itself where few are asked for, else of the whole workspace at once: a router takes some hundred requests a minute, and
 * there may be tens of thousands of sources. One of an earlier version has no lists of a whole workspace.
 */
export async function readBelow(api: Api, workspace: string, sources: number, wanted?: WorkspaceNode): Promise<Below> {
  const asked = askedFor(wanted);
  const whole = async (
    kind: Whole,
    placeOf: (name: string) => string,
  ): Promise<ReadonlyMap<string, readonly Fields[]> | undefined> => {
    if (asked[kind] <= Math.max(FEW, PART * sources)) return undefined;
    const all = await api.listWhole?.(kind, workspace).catch(unlessMissing);
    return all && Map.groupBy(all, ({ name }) => placeOf(String(name)));
  };
  const [schemaConfigs, destinations, filters] = [
    await whole('schemaConfigs', sourceOf),
    await whole('destinations', sourceOf),
    await whole('filters', destinationOf),
  ];
  return {
    schemaConfig: async (name) => schemaConfigs?.get(name)?.[0] ?? api.schemaConfig(name),
    destinations: async (name) => (destinations ? (destinations.get(name) ?? []) : api.list('destinations', name)),
    filters: async (name) => (filters ? (filters.get(name) ?? []) : api.list('filters', name)),
  };
}

/** The source in the name of what is below it, or itself. */
function sourceOf(name: string): string {
  return name.split('/').slice(0, 4).join('/');
}

/** The destination in the name of a filter, or itself; a name that ends above is as it was. */
export function destinationOf(name: string): string {
  return name.split('/').slice(0, 6).join('/');
}

function askedFor(wanted: WorkspaceNode | undefined): Asked {
  if (wanted === undefined) return { schemaConfigs: Infinity, destinations: Infinity, filters: Infinity };
  const sources = [...wanted.sources.values()];
  const destinations = sources.flatMap((one) => [...(one.destinations?.values() ?? [])]);
  return {
    schemaConfigs: sources.filter(saysSchemaConfig).length,
    destinations: sources.filter((one) => one.destinations !== undefined).length,
    filters: destinations.filter(saysFilters).length,
  };
}

export function saysSchemaConfig({ schemaConfig }: Pick<SourceNode, 'schemaConfig'>): boolean {
  return Object.keys(schemaConfig).length > 0;
}

function saysFilters({ filters }: DestinationNode): boolean {
  return filters !== undefined;
}
