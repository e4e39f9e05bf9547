import type { Sending } from '../delivery/target.ts';
import { effectsOf, erasedIds, isErased, isOver, isUntouched, scopeOf } from '../model/regulation.ts';
import { usersOf } from '../model/message.ts';
import { isComputation, workspaceOf } from '../model/resource-names.ts';
import type { Regulation } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { Row } from '../storage/config-store.ts';

/** What a router holds in memory as a deletion ends has been sent, or is in storage again, after some minutes. */
const KEPT_MS = 10 * 60_000;
/** Of deletions that are over; more of one workspace are not kept that long. */
const KEPT_IDS = 50_000;

/** One deletion, as it was heard of. */
interface Deletion {
  readonly scope: string;
  /** In steady time: what was accepted since is of users who came back … Set when it has begun: until then it may be cancelled. */
  begunAt?: number;
  /** … but what audiences told before the end may be by what is deleted, and what was replayed is. Set when it has ended. */
  endedAt?: number;
  readonly ids: Set<string>;
}

/**
 * Whose messages are not sent any more (AUD-9): storage removes what it has, and no router sends what it had taken before, once
 * it has heard that the deletion has begun.
 */
export class ErasedUsers {
  readonly #clock: Pick<Clock, 'steady'>;
  /** By the name of their regulation. */
  readonly #left = new Map<string, Deletion>();
  /** In their order. */
  readonly #over = new Set<Deletion>();
  #idsOver = 0;
  /** The last one of each id that has begun, by scope. */
  readonly #last = new Map<string, Map<string, Deletion>>();

  constructor(clock: Pick<Clock, 'steady'>) {
    this.#clock = clock;
  }

  put(name: string, row: Row<Regulation> | undefined): void {
    const known = this.#left.get(name);
    if (row !== undefined && isLeft(row.resource)) return this.#learn(row.resource, known);
    if (known === undefined) return;
    this.#left.delete(name);
    // Whoever is behind hears of it with the end, from which the names are gone.
    if (row !== undefined) this.#begin(known);
    if (known.begunAt !== undefined) this.#end(known);
  }

  has({ message: { source, receivedAt, event }, earlierRounds }: Sending): boolean {
    if (this.#last.size === 0) return false;
    this.#forget();
    const upTo = isComputation(source) || earlierRounds !== undefined ? endOf : beginningOf;
    const isOfScope = (scope: string): boolean => {
      const last = this.#last.get(scope);
      return last !== undefined && usersOf(event).some((id) => receivedAt <= upTo(last.get(id)));
    };
    return event.type !== 'delete' && [workspaceOf(source), source].some(isOfScope);
  }

  #learn(regulation: Regulation, known: Deletion | undefined): void {
    const deletion = known ?? { scope: scopeOf(regulation), ids: new Set() };
    this.#left.set(regulation.name, deletion);
    for (const id of erasedIds(regulation)) deletion.ids.add(id);
    if (!isUntouched(regulation)) this.#begin(deletion);
  }

  #begin(deletion: Deletion): void {
    const { scope, ids } = deletion;
    const begunAt = (deletion.begunAt ??= this.#clock.steady());
    const last = this.#last.get(scope) ?? new Map<string, Deletion>();
    this.#last.set(scope, last);
    for (const id of ids) if (beginningOf(last.get(id)) <= begunAt) last.set(id, deletion);
  }

  #end(deletion: Deletion): void {
    deletion.endedAt = this.#clock.steady();
    this.#over.add(deletion);
    this.#idsOver += deletion.ids.size;
    this.#forget();
  }

  #forget(): void {
    for (const deletion of this.#over) {
      if (this.#idsOver <= KEPT_IDS && endOf(deletion) + KEPT_MS > this.#clock.steady()) return;
      this.#over.delete(deletion);
      this.#idsOver -= deletion.ids.size;
      this.#forgetIds(deletion);
    }
  }

  #forgetIds(deletion: Deletion): void {
    const last = this.#last.get(deletion.scope);
    for (const id of deletion.ids) if (last?.get(id) === deletion) last.delete(id);
    if (last?.size === 0) this.#last.delete(deletion.scope);
  }
}

function beginningOf(deletion: Deletion | undefined): number {
  return deletion?.begunAt ?? -Infinity;
}

function endOf(deletion: Deletion | undefined): number {
  return deletion === undefined ? -Infinity : (deletion.endedAt ?? Infinity);
}

function isLeft(regulation: Regulation): boolean {
  return effectsOf(regulation).deletes && !isErased(regulation) && !isOver(regulation);
}
