import { effectsOf, scopeOf } from '../model/regulation.ts';
import type { Resources } from '../model/resources.ts';
import type { Row } from '../storage/config-store.ts';

export interface SuppressedUser {
  readonly user_id: string;
  readonly suppress_time: string;
  /** The stable order of their list. */
  readonly sequence: number;
}

/** Whose events are not wanted, by user id. */
export type SuppressedUsers = ReadonlyMap<string, SuppressedUser>;

/**
 * By scope, the full name of a workspace or a source: each has a list of its own, which only regulations of the same scope
 * change (D-12).
 */
export type SuppressionLists = Map<string, Map<string, SuppressedUser>>;

type RegulationRow = Row<Resources['regulations']>;

/** No regulation holds more ids, so positions within it never meet those of the next. */
const MAX_IDS = 5_000;

/** Adds what a regulation says to what earlier ones came to. */
export function addRegulation(lists: SuppressionLists, { sequence, resource }: RegulationRow): SuppressionLists {
  const scope = scopeOf(resource);
  const users = lists.get(scope) ?? new Map<string, SuppressedUser>();
  const { suppresses } = effectsOf(resource);
  for (const [index, id] of resource.user_ids.entries()) {
    if (resource.regulation_type === 'Unsuppress') users.delete(id);
    else if (suppresses && !users.has(id)) {
      const user = { user_id: id, suppress_time: resource.create_time, sequence: sequence * MAX_IDS + index + 1 };
      users.set(id, user);
    }
  }
  return lists.set(scope, users);
}

/** What all of them say, one after another. */
export function listsOf(regulations: Iterable<RegulationRow>): SuppressionLists {
  const inOrder = [...regulations].toSorted((one, other) => one.sequence - other.sequence);
  return inOrder.reduce(addRegulation, new Map());
}
