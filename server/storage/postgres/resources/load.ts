import type { Kind, Resources } from '../../../model/resources.ts';
import type { Change, Commit, Row } from '../../config-store.ts';
import type { Replica } from '../../resources/replica.ts';
import { entryOf, KINDS, type State } from '../../resources/tables.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { Queries } from '../connection/database.ts';
import {
  type Head,
  headOf,
  READ_HEAD,
  READ_RESOURCES,
  READ_VERSIONS,
  type ResourceRow,
  type VersionRow,
} from './statements.ts';
import { changeOf } from './stored-entry.ts';

/** Everything that stands, and what a replica has to apply to be the same. */
export interface Loaded {
  /** It holds what was changed until this version, and perhaps of what came while it was read. */
  readonly head: Head;
  readonly commits: readonly Commit[];
}

/**
 * Versions are read before rows: what is routed meanwhile by newer rows and an older version is routed once more, and the
 * other way round it would not be.
 */
export async function load(queries: Queries, replica: Replica, keyring: Keyring): Promise<Loaded> {
  const head = await headOf(queries, READ_HEAD);
  const versions = new Map<string, number>([['', head.version]]);
  for (const { workspace, version } of await queries.run<VersionRow>(READ_VERSIONS)) versions.set(workspace, version);
  const rows = Map.groupBy(await readAll(queries), ({ home }) => home);
  const changesAt = (home: string): Change[] =>
    (rows.get(home) ?? [])
      .toSorted((one, other) => one.sequence - other.sequence)
      .flatMap((row) => changeOf(row, keyring) ?? []);
  const workspaces = (rows.get('') ?? []).filter(({ kind }) => kind === 'workspaces').map(({ name }) => name);
  // The root comes first: it tells of workspaces that are gone, with all that was below them.
  const commits = ['', ...workspaces].map((home) => ({
    workspace: home,
    version: versions.get(home) ?? 0,
    changes: differences(replica.stateOf(home), changesAt(home)),
  }));
  return { head, commits };
}

async function readAll(queries: Queries): Promise<ResourceRow[]> {
  const all: ResourceRow[] = [];
  let page: readonly ResourceRow[];
  do {
    page = await queries.run<ResourceRow>(READ_RESOURCES, [all.at(-1)?.name ?? '']);
    for (const row of page) all.push(row);
  } while (page.length > 0);
  return all;
}

/** In order of creation, what is gone first. */
function differences(known: State | undefined, changes: readonly Change[]): Change[] {
  const names = new Set(changes.map(({ name }) => name));
  return [...gone(known, names), ...changes.filter((change) => isNews(known, change))];
}

function isNews(known: State | undefined, { kind, name, row }: Change): boolean {
  const before = known?.tables[kind].get(name);
  return row === undefined || before?.sequence !== row.sequence || before.text !== entryOf<unknown>(row).text;
}

function gone(known: State | undefined, names: ReadonlySet<string>): Change[] {
  return KINDS.flatMap((kind) => {
    const rows: Iterable<Row<Resources[Kind]>> = known?.tables[kind].all() ?? [];
    const before = Array.from(rows, ({ resource }) => resource.name);
    return before.filter((name) => !names.has(name)).map((name) => ({ kind, name, row: undefined }));
  });
}
