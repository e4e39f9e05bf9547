import type { ConfigStore, Resources, Row } from '../storage/config-store.ts';
import { effectsOf, scopeOf } from '../jobs/regulations/regulation.ts';
import { workspaceOf } from '../model/resources.ts';
import { rowsAfter } from '../jobs/regulations/rows.ts';

export interface SuppressedUser {
  readonly user_id: string;
  readonly suppress_time: string;
  /** The stable order of their list. */
  readonly sequence: number;
}

export type SuppressedUsers = ReadonlyMap<string, SuppressedUser>;

/**
 * Whose events are not wanted, as the regulations up to this moment say, one after another (D-13). A workspace and each of
 * its sources have a list of their own, which only regulations of the same scope change.
 */
export interface Suppressions {
  /** The list of a workspace or of one source, by user id. Empty without the workspace. */
  of(scope: string): Promise<SuppressedUsers>;
  /** Each list that events of a source are held to, and that names anybody. */
  appliedTo(source: string): Promise<readonly SuppressedUsers[]>;
  /** To be called when a regulation was cancelled: then what was read before does not count. */
  reread(workspace: string): void;
}

type Lists = ReadonlyMap<string, SuppressedUsers>;

interface Known {
  /** The workspace's own id: another that gets its name later starts afresh. */
  readonly id: string;
  /** By scope. */
  readonly lists: Map<string, Map<string, SuppressedUser>>;
  after: number;
}

/** No regulation holds more ids, so positions within it never meet those of the next. */
const MOST_IDS = 5_000;
const NOBODY: SuppressedUsers = new Map();

/** Regulations are the record of what is suppressed; each is read once, and remembered as its outcome. */
export function createSuppressions(config: Pick<ConfigStore, 'get' | 'list'>): Suppressions {
  const known = new Map<string, Known>();
  const listsOf = async (workspace: string): Promise<Lists> => {
    const found = await config.get('workspaces', workspace);
    if (found === undefined) return new Map();
    const before = known.get(workspace);
    const rows = await rowsAfter(config, 'regulations', workspace, before?.id === found.id ? before.after : 0);
    // Read anew: another call may have added the same rows meanwhile, and adding them twice changes nothing.
    const current = known.get(workspace);
    const kept = current?.id === found.id ? current : { id: found.id, lists: new Map(), after: 0 };
    known.set(workspace, kept);
    for (const row of rows) if (row.sequence > kept.after) add(kept, row);
    return kept.lists;
  };
  return {
    reread: (workspace) => void known.delete(workspace),
    of: async (scope) => (await listsOf(workspaceOf(scope))).get(scope) ?? NOBODY,
    appliedTo: async (source) => {
      const workspace = workspaceOf(source);
      const lists = await listsOf(workspace);
      return [workspace, source].map((scope) => lists.get(scope) ?? NOBODY).filter(({ size }) => size > 0);
    },
  };
}

function add(known: Known, { sequence, resource }: Row<Resources['regulations']>): void {
  known.after = sequence;
  const scope = scopeOf(resource);
  const users = known.lists.get(scope) ?? new Map<string, SuppressedUser>();
  for (const [index, id] of resource.user_ids.entries()) {
    if (resource.regulation_type === 'Unsuppress') users.delete(id);
    else if (effectsOf(resource).suppresses && !users.has(id)) {
      users.set(id, {
        user_id: id,
        suppress_time: resource.create_time,
        sequence: sequence * MOST_IDS + index + 1,
      });
    }
  }
  known.lists.set(scope, users);
}
