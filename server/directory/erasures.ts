import { effectsOf, isOver, scopeOf } from '../model/regulation.ts';
import type { Regulation } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { Row } from '../storage/config-store.ts';
import { ErasedUsers } from './erased-users.ts';

export interface ErasuresParts {
  readonly clock: Pick<Clock, 'steady'>;
}

/** Deletions of users: whose they are, and how many of a whole workspace there were, by which profiles go. */
export class Erasures {
  readonly users: ErasedUsers;
  readonly #underWay = new Set<string>();
  #ended = 0;

  constructor({ clock }: ErasuresParts) {
    this.users = new ErasedUsers(clock);
  }

  /** Undefined while one is under way. */
  get ended(): number | undefined {
    return this.#underWay.size > 0 ? undefined : this.#ended;
  }

  put(name: string, row: Row<Regulation> | undefined): void {
    this.users.put(name, row);
    const isOne = row !== undefined && erasesProfiles(row.resource);
    if (isOne && !isOver(row.resource)) this.#underWay.add(name);
    // One that began and ended between two looks of this router counts too.
    else if (this.#underWay.delete(name) || isOne) this.#ended += 1;
  }
}

function erasesProfiles(regulation: Regulation): boolean {
  return effectsOf(regulation).deletes && scopeOf(regulation) === regulation.parent;
}
