import type { Claim } from '../ports/delivery-store.ts';
import { Lane } from './lane.ts';
import type { DeliveryPolicy } from './policy.ts';

/** All lanes, and whose turn it is (D-26). */
export class Lanes {
  readonly #byDestination = new Map<string, Lane>();
  /** Lanes that have something ready and a place free, in the order of their turns. */
  readonly #turns = new Set<Lane>();
  readonly #policy: DeliveryPolicy;
  #ready = 0;
  #bytes = 0;
  /** Places in memory that are kept for what is being stored. */
  #promised = 0;

  constructor(policy: DeliveryPolicy) {
    this.#policy = policy;
  }

  /** Claims that wait in memory, over all lanes. */
  get ready(): number {
    return this.#ready;
  }

  /** Bytes of the events of these claims. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether one more claim may wait in memory. */
  hasRoom(lane: Lane): boolean {
    const { totalRoom, totalBytes } = this.#policy;
    if (this.#bytes >= totalBytes || this.#ready + this.#promised >= totalRoom) return false;
    return lane.ready.length + lane.promised < lane.room;
  }

  /** Keeps places for what is being stored, or gives them back. */
  promise(lane: Lane, places: number): void {
    lane.promised += places;
    this.#promised += places;
  }

  of(destination: string): Lane {
    let lane = this.#byDestination.get(destination);
    if (lane === undefined) this.#byDestination.set(destination, (lane = new Lane(destination, this.#policy)));
    return lane;
  }

  all(): Iterable<Lane> {
    return this.#byDestination.values();
  }

  add(lane: Lane, claim: Claim): void {
    lane.ready.push(claim);
    this.#ready += 1;
    this.#bytes += bytesOf(claim);
    this.#queue(lane);
  }

  /** Takes the claim whose turn it is, and a place in its lane; undefined when no lane has both. */
  next(): { lane: Lane; claim: Claim } | undefined {
    for (const lane of this.#turns) {
      this.#turns.delete(lane);
      const claim = lane.ready.shift();
      if (claim === undefined) continue;
      this.#ready -= 1;
      this.#bytes -= bytesOf(claim);
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

  /** Takes what waits in a lane out of memory. */
  withdraw(lane: Lane): Claim[] {
    const claims = lane.ready.splice(0);
    this.#ready -= claims.length;
    this.#bytes -= claims.reduce((sum, claim) => sum + bytesOf(claim), 0);
    this.#turns.delete(lane);
    return claims;
  }

  #queue(lane: Lane): void {
    if (lane.ready.length > 0 && lane.inFlight < lane.limit) this.#turns.add(lane);
  }
}

function bytesOf({ bytes = 0 }: Claim): number {
  return bytes;
}
