import type { Claim } from '../model/delivery.ts';
import { Lane } from './lane.ts';
import type { DeliveryPolicy } from '../model/policy.ts';

/**
 * So much of the memory, and of the places in flight, is there for all lanes. The rest is for those that have few of
 * either, as many as a destination begins with: however many hang at once, the others go on.
 */
const SHARED = 3 / 4;

/** All lanes, and whose turn it is (D-26). */
export class Lanes {
  readonly #byDestination = new Map<string, Lane>();
  /** Lanes that have something ready and a place free, in the order of their turns. */
  readonly #turns = new Set<Lane>();
  /** Of these, the ones that have few in flight. */
  readonly #modest = new Set<Lane>();
  readonly #policy: DeliveryPolicy;
  #ready = 0;
  #bytes = 0;
  /** Places in memory, and bytes, that are kept for what is on its way: being stored, or asked of the disk. */
  #promised = 0;
  #promisedBytes = 0;

  constructor(policy: DeliveryPolicy) {
    this.#policy = policy;
  }

  /** How many more claims of a lane may wait in memory; not even one at 0 and below. */
  roomFor(lane: Lane): number {
    const own = lane.ready.length + lane.promised;
    return Math.max(Math.min(lane.room - own, this.#free(SHARED)), Math.min(lane.firstRoom - own, this.#free(1)));
  }

  /** Keeps places, and bytes where they are known, for what is on its way, or gives them back. */
  promise(lane: Lane, places: number, bytes = 0): void {
    lane.promised += places;
    this.#promised += places;
    this.#promisedBytes += bytes;
  }

  of(destination: string): Lane {
    let lane = this.#byDestination.get(destination);
    if (lane === undefined) this.#byDestination.set(destination, (lane = new Lane(destination, this.#policy)));
    lane.idleSince = undefined;
    return lane;
  }

  /** Drops a lane that is idle; the next who asks for it gets a new one, which learns again how its destination is. */
  forget(lane: Lane): void {
    this.#byDestination.delete(lane.destination);
  }

  /** How many there are. */
  get count(): number {
    return this.#byDestination.size;
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

  /**
   * Takes the claim whose turn it is, and a place in its lane; undefined when no lane has both. `inFlight` is how many
   * places are taken over all lanes.
   */
  next(inFlight: number): { lane: Lane; claim: Claim } | undefined {
    for (const lane of inFlight < SHARED * this.#policy.inFlight ? this.#turns : this.#modest) {
      this.#unqueue(lane);
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
    this.#unqueue(lane);
    return claims;
  }

  /** How much of so large a part of the memory is free. */
  #free(part: number): number {
    const { totalRoom, totalBytes } = this.#policy;
    if (this.#bytes + this.#promisedBytes >= part * totalBytes) return 0;
    return Math.floor(part * totalRoom) - this.#ready - this.#promised;
  }

  #queue(lane: Lane): void {
    if (lane.ready.length === 0 || lane.inFlight >= lane.limit) return;
    this.#turns.add(lane);
    if (lane.inFlight < this.#policy.rampStart) this.#modest.add(lane);
  }

  #unqueue(lane: Lane): void {
    this.#turns.delete(lane);
    this.#modest.delete(lane);
  }
}

function bytesOf({ bytes = 0 }: Claim): number {
  return bytes;
}
