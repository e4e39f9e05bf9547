import { effectsOf, isOver, scopeOf } from '../model/regulation.ts';
import type { Regulation } from '../model/resources.ts';
import type { Row } from '../storage/config-store.ts';

/** Deletions of users in a whole workspace, by which their profiles go. */
export class Erasures {
  readonly #underWay = new Set<string>();
  #ended = 0;

  /** Undefined while one is under way. */
  get ended(): number | undefined {
    return this.#underWay.size > 0 ? undefined : this.#ended;
  }

  put(name: string, row: Row<Regulation> | undefined): void {
    const isOne = row !== undefined && erasesProfiles(row.resource);
    if (isOne && !isOver(row.resource)) this.#underWay.add(name);
    // One that began and ended between two looks of this router counts too.
    else if (this.#underWay.delete(name) || isOne) this.#ended += 1;
  }
}

function erasesProfiles(regulation: Regulation): boolean {
  return effectsOf(regulation).deletes && scopeOf(regulation) === regulation.parent;
}
