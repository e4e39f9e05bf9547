import { storable } from '../model/json-values.ts';
import { effectsOf, scopeOf } from '../model/regulation.ts';
import type { Resources } from '../model/resources.ts';
import type { Row } from '../storage/config-store.ts';
import { put, type Rows } from './rows.ts';

export interface SuppressedUser {
  readonly user_id: string;
  readonly suppress_time: string;
  /** The stable order of their list. */
  readonly sequence: number;
}

/** Whose events are not wanted, by user id as profiles know it: to be asked with `isSuppressed`. */
export type SuppressedUsers = ReadonlyMap<string, SuppressedUser>;

/** Compared as databases store ids, by which profiles know them: those that differ only in what none can store are of one user. */
export function isSuppressed(users: SuppressedUsers | undefined, userId: string): boolean {
  return users?.has(storable(userId)) === true;
}

type Lists = Map<string, Map<string, SuppressedUser>>;

type RegulationRow = Row<Resources['regulations']>;

/** No regulation holds more ids, so positions within it never meet those of the next. */
const MAX_IDS = 5_000;

/**
 * What the regulations of a workspace come to, by scope, the full name of the workspace or of a source: each has a list of its
 * own, which only regulations of the same scope change (D-12).
 */
export class Suppressions {
  readonly #regulations: Rows<'regulations'> = new Map();
  /** Undefined where it is to be made anew. */
  #lists: Lists | undefined;

  of(scope: string): SuppressedUsers | undefined {
    return this.#made().get(scope);
  }

  /** A new one is the last, and adds to what is known; what it says never changes but by its removal. */
  put(name: string, row: RegulationRow | undefined): void {
    const isNew = !this.#regulations.has(name);
    put(this.#regulations, name, row);
    if (row === undefined) this.#lists = undefined;
    else if (isNew && this.#lists !== undefined) add(this.#lists, row);
  }

  /** What all of them say, one after another. */
  #made(): Lists {
    const inOrder = () => [...this.#regulations.values()].toSorted((one, other) => one.sequence - other.sequence);
    this.#lists ??= inOrder().reduce<Lists>(add, new Map());
    return this.#lists;
  }
}

/** Adds what a regulation says to what earlier ones came to. */
function add(lists: Lists, { sequence, resource }: RegulationRow) {
  const scope = scopeOf(resource);
  const users = lists.get(scope) ?? new Map<string, SuppressedUser>();
  const { suppresses } = effectsOf(resource);
  for (const [index, user_id] of resource.user_ids.entries()) {
    const id = storable(user_id);
    if (resource.regulation_type === 'Unsuppress') users.delete(id);
    else if (suppresses && !users.has(id)) {
      const user = { user_id, suppress_time: resource.create_time, sequence: sequence * MAX_IDS + index + 1 };
      users.set(id, user);
    }
  }
  return lists.set(scope, users);
}
