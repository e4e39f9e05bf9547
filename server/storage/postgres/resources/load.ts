import type { Kind, Resources } from '../../../model/resources.ts';
import type { Change, Commit, Entry } from '../../config-store.ts';
import type { Replica } from '../../resources/replica.ts';
import { pagesOf } from '../../pages.ts';
import { KINDS, type State } from '../../resources/tables.ts';
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
import { changeOf } from './row-changes.ts';

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
  const changes = await readAll(queries, keyring);
  const workspaces = (changes.get('') ?? []).filter(({ kind }) => kind === 'workspaces').map(({ name }) => name);
  // The root comes first: it tells of workspaces that are gone, with all that was below them.
  const commits = ['', ...workspaces].map((home) => ({
    workspace: home,
    version: versions.get(home) ?? 0,
    changes: differences(replica.stateOf(home), changes.get(home) ?? []),
  }));
  return { head, commits };
}

/** What stands, by its home, in order of creation. */
async function readAll(queries: Queries, keyring: Keyring): Promise<ReadonlyMap<string, readonly Change[]>> {
  const changes = new Map<string, Change[]>();
  const read = (before: readonly ResourceRow[] = []): Promise<readonly ResourceRow[]> =>
    queries.run<ResourceRow>(READ_RESOURCES, [before.at(-1)?.name ?? '']);
  for await (const rows of pagesOf(read, ({ length }) => length === 0)) {
    for (const row of rows) {
      const [change, own] = [changeOf(row, keyring), changes.get(row.home)];
      if (change === undefined) continue;
      if (own === undefined) changes.set(row.home, [change]);
      else own.push(change);
    }
  }
  for (const own of changes.values()) own.sort((one, other) => (one.row?.sequence ?? 0) - (other.row?.sequence ?? 0));
  return changes;
}

/** In order of creation, what is gone first. */
function differences(known: State | undefined, changes: readonly Change[]): readonly Change[] {
  if (known === undefined) return changes;
  const names = new Set(changes.map(({ name }) => name));
  return [...gone(known, names), ...changes.filter((change) => isNews(known, change))];
}

function isNews(known: State | undefined, { kind, name, row }: Change): boolean {
  const before = known?.tables[kind].get(name);
  return row === undefined || before?.sequence !== row.sequence || before.text !== row.text;
}

function gone(known: State | undefined, names: ReadonlySet<string>): Change[] {
  return KINDS.flatMap((kind) => {
    const rows: Iterable<Entry<Resources[Kind]>> = known?.tables[kind].all() ?? [];
    const before = Array.from(rows, ({ name }) => name);
    return before.filter((name) => !names.has(name)).map((name) => ({ kind, name, row: undefined }));
  });
}
