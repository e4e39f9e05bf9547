import type { Claim } from '../ports/delivery-store.ts';
import { Lane } from './lane.ts';

/** All lanes, and whose turn it is (D-26). */
export class Lanes {
  readonly #byDestination = new Map<string, Lane>();
  /** Lanes that have something ready and a place free, in the order of their turns. */
  readonly #turns = new Set<Lane>();
  readonly #perDestination: number;
  #ready = 0;

  constructor(perDestination: number) {
    this.#perDestination = perDestination;
  }

  /** Claims that wait in memory, over all lanes. */
  get ready(): number {
    return this.#ready;
  }

  of(destination: string): Lane {
    let lane = this.#byDestination.get(destination);
    if (lane === undefined) this.#byDestination.set(destination, (lane = new Lane(destination)));
    return lane;
  }

  all(): Iterable<Lane> {
    return this.#byDestination.values();
  }

  add(claim: Claim): void {
    const lane = this.of(claim.destination);
    lane.ready.push(claim);
    this.#ready += 1;
    this.#queue(lane);
  }

  /** Takes the claim whose turn it is, and a place in its lane; undefined when no lane has both. */
  next(): { lane: Lane; claim: Claim } | undefined {
    for (const lane of this.#turns) {
      this.#turns.delete(lane);
      const claim = lane.ready.shift();
      if (claim === undefined) continue;
      this.#ready -= 1;
      lane.inFlight += 1;
      this.#queue(lane);
      return { lane, claim };
    }
    return undefined;
  }

  /** Gives a place back. */
  free(lane: Lane): void {
    lane.inFlight -= 1;
    this.#queue(lane);
  }

  /** Empties every lane. */
  drain(): Claim[] {
    this.#ready = 0;
    this.#turns.clear();
    return [...this.all()].flatMap((lane) => lane.ready.splice(0));
  }

  /** The earliest moment after `now` at which something on disk is due. */
  earliestDueAfter(now: number): number | undefined {
    let earliest: number | undefined;
    for (const { dueAt } of this.all()) {
      if (dueAt !== undefined && dueAt > now && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
    }
    return earliest;
  }

  #queue(lane: Lane): void {
    if (lane.ready.length > 0 && lane.inFlight < this.#perDestination) this.#turns.add(lane);
  }
}
