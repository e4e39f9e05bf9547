import { storable } from '../model/json-values.ts';
import { effectsOf, scopeOf } from '../model/regulation.ts';
import type { Regulation } from '../model/resources.ts';
import type { Page, Row } from '../storage/config-store.ts';

export interface SuppressedUser {
  readonly user_id: string;
  readonly suppress_time: string;
}

/** Whose events are not wanted, by user id as profiles know it: to be asked with `isSuppressed`. */
export interface SuppressedUsers {
  has(id: string): boolean;
}

/** Compared as databases store ids, by which profiles know them: those that differ only in what none can store are of one user. */
export function isSuppressed(users: SuppressedUsers | undefined, userId: string): boolean {
  return users?.has(storable(userId)) === true;
}

export interface SuppressedPage {
  readonly users: readonly SuppressedUser[];
  /** Behind it the next page begins; undefined when there is none. */
  readonly last: number | undefined;
}

/** No regulation holds more ids, so positions within it never meet those of the next. */
const MAX_IDS = 5_000;
/** So much is looked at for one page, which may have fewer users then: some milliseconds. */
const MAX_LOOKS = 20_000;

/** What one regulation says of its users, as it was made: that never changes but by its removal. */
interface Said {
  readonly sequence: number;
  readonly scope: string;
  readonly at: string;
  readonly ids: readonly string[];
  /** Or else it suppresses them no longer. */
  readonly suppresses: boolean;
}

/**
 * What the regulations of a workspace come to, by scope, the full name of the workspace or of a source: each has a list of its
 * own, which only regulations of the same scope change (D-12).
 */
export class Suppressions {
  readonly #said = new Map<string, Said>();
  readonly #lists = new Map<string, SuppressionList>();

  of(scope: string): SuppressionList | undefined {
    return this.#lists.get(scope);
  }

  put(name: string, row: Row<Regulation> | undefined): void {
    const known = this.#said.get(name);
    if (row === undefined && known !== undefined) this.#remove(name, known);
    const said = row === undefined || known !== undefined ? undefined : saidBy(row);
    if (said === undefined) return;
    this.#said.set(name, said);
    const list = this.#lists.get(said.scope) ?? new SuppressionList();
    this.#lists.set(said.scope, list);
    list.add(said);
  }

  #remove(name: string, said: Said): void {
    this.#said.delete(name);
    if (this.#lists.get(said.scope)?.remove(said) === 'empty') this.#lists.delete(said.scope);
  }
}

/** Undefined where it says nothing of later events. */
function saidBy({ sequence, resource }: Row<Regulation>): Said | undefined {
  const { create_time: at, user_ids: ids, regulation_type: type } = resource;
  const scope = scopeOf(resource);
  const { suppresses } = effectsOf(resource);
  return suppresses || type === 'Unsuppress' ? { sequence, scope, at, ids, suppresses } : undefined;
}

/**
 * The users of one scope. Each id leads to what was said of it, so that a regulation that comes or is cancelled costs what it
 * holds itself, however many there are (SAFE-2).
 */
export class SuppressionList implements SuppressedUsers {
  /** In their order, as all lists of them here. */
  readonly #all: Said[] = [];
  /** Most ids stand in one. */
  readonly #byId = new Map<string, Said | Said[]>();

  has(id: string): boolean {
    const said = this.#byId.get(id);
    return (Array.isArray(said) ? said.at(-1) : said)?.suppresses === true;
  }

  add(said: Said): void {
    insert(this.#all, said);
    for (const user_id of said.ids) {
      const id = storable(user_id);
      const before = this.#byId.get(id);
      if (before === undefined) this.#byId.set(id, said);
      else if (Array.isArray(before)) insert(before, said);
      else if (before !== said) this.#byId.set(id, insert([before], said));
    }
  }

  remove(said: Said): 'empty' | 'others' {
    drop(this.#all, said);
    for (const id of said.ids.map(storable)) {
      const before = this.#byId.get(id);
      if (before === said) this.#byId.delete(id);
      if (!Array.isArray(before)) continue;
      const [only, ...others] = drop(before, said);
      if (only !== undefined && others.length === 0) this.#byId.set(id, only);
    }
    return this.#all.length === 0 ? 'empty' : 'others';
  }

  /** The longest suppressed first. */
  page({ after, limit }: Page): SuppressedPage {
    const users: SuppressedUser[] = [];
    let [looks, last] = [0, after];
    for (const said of this.#all) {
      const first = said.sequence * MAX_IDS + 1;
      if (!said.suppresses || first + said.ids.length <= after) continue;
      for (const [index, user_id] of said.ids.entries()) {
        if (first + index <= after) continue;
        const [standing, steps] = this.#standing(storable(user_id));
        if (looks > MAX_LOOKS || (standing === said && users.length === limit)) return { users, last };
        looks += steps;
        last = first + index;
        if (standing === said) users.push({ user_id, suppress_time: said.at });
      }
    }
    return { users, last: undefined };
  }

  /** By what the user is suppressed since: the first to say so since the last that said no; and what it took to find out. */
  #standing(id: string): [said: Said | undefined, steps: number] {
    const said = this.#byId.get(id);
    if (!Array.isArray(said)) return [said, 1];
    return [said[said.findLastIndex(({ suppresses }) => !suppresses) + 1], said.length];
  }
}

/** They come in their order, but for those of a start. */
function insert(all: Said[], said: Said): Said[] {
  const place = all.findLastIndex(({ sequence }) => sequence <= said.sequence) + 1;
  // Two ids of one regulation may be one to profiles.
  if (all[place - 1] !== said) all.splice(place, 0, said);
  return all;
}

function drop(all: Said[], said: Said): Said[] {
  const place = all.lastIndexOf(said);
  if (place >= 0) all.splice(place, 1);
  return all;
}
