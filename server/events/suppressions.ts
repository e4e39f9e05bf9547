import type { ConfigStore, Resources, Row } from '../storage/config-store.ts';
import { effectsOf } from '../jobs/regulations/regulation.ts';
import { rowsAfter } from '../jobs/regulations/rows.ts';

export interface SuppressedUser {
  readonly user_id: string;
  readonly suppress_time: string;
  /** The stable order of their list. */
  readonly sequence: number;
}

export type SuppressedUsers = ReadonlyMap<string, SuppressedUser>;

/** Whose events a workspace does not want. */
export interface Suppressions {
  /** By user id, as the regulations up to this moment say, one after another (D-13). Empty without the workspace. */
  of(workspace: string): Promise<SuppressedUsers>;
  /** To be called when a regulation was cancelled: then what was read before does not count. */
  reread(workspace: string): void;
}

interface Known {
  /** The workspace's own id: another that gets its name later starts afresh. */
  readonly id: string;
  readonly users: Map<string, SuppressedUser>;
  after: number;
}

/** No regulation holds more ids, so positions within it never meet those of the next. */
const MOST_IDS = 5_000;

/** Regulations are the record of what is suppressed; each is read once, and remembered as its outcome. */
export function createSuppressions(config: Pick<ConfigStore, 'get' | 'list'>): Suppressions {
  const known = new Map<string, Known>();
  return {
    reread: (workspace) => void known.delete(workspace),

    async of(workspace) {
      const found = await config.get('workspaces', workspace);
      if (found === undefined) return new Map();
      const before = known.get(workspace);
      const rows = await rowsAfter(config, 'regulations', workspace, before?.id === found.id ? before.after : 0);
      // Read anew: another call may have added the same rows meanwhile, and adding them twice changes nothing.
      const current = known.get(workspace);
      const kept = current?.id === found.id ? current : { id: found.id, users: new Map(), after: 0 };
      known.set(workspace, kept);
      for (const row of rows) if (row.sequence > kept.after) add(kept, row);
      return kept.users;
    },
  };
}

function add(known: Known, { sequence, resource }: Row<Resources['regulations']>): void {
  known.after = sequence;
  for (const [index, id] of resource.user_ids.entries()) {
    if (resource.regulation_type === 'Unsuppress') known.users.delete(id);
    else if (effectsOf(resource).suppresses && !known.users.has(id)) {
      known.users.set(id, {
        user_id: id,
        suppress_time: resource.create_time,
        sequence: sequence * MOST_IDS + index + 1,
      });
    }
  }
}
