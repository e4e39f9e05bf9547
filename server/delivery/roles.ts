import type { DeliveryPolicy } from '../model/policy.ts';

/** What a router may do for a destination (D-62). */
export interface Role {
  /** Whether the queue of what waits in storage is its own: backlog, retries and probes. */
  readonly isOwner: boolean;
  /** With its share of the destination's limits. */
  readonly policy: DeliveryPolicy;
}

/**
 * Who owns the queue of each destination among the members of a storage, told by their names alone: all who know of the same
 * members find the same owner, and a change of members moves few queues (rendezvous hashing).
 */
export class Roles {
  readonly #policy: DeliveryPolicy;
  #self = '';
  /** The others; a router that is alone owns everything. */
  #others: readonly string[] = [];
  #owner: Role;
  #guest: Role;

  constructor(policy: DeliveryPolicy) {
    this.#policy = policy;
    this.#owner = { isOwner: true, policy };
    this.#guest = this.#owner;
  }

  /** `nodes`: all that live. */
  meet(self: string, nodes: readonly string[]): void {
    this.#self = self;
    this.#others = nodes.filter((node) => node !== self);
    const members = this.#others.length + 1;
    this.#owner = { isOwner: true, policy: sharedPolicy(this.#policy, { members, isOwner: true }) };
    this.#guest = { isOwner: false, policy: sharedPolicy(this.#policy, { members, isOwner: false }) };
  }

  get isAlone(): boolean {
    return this.#others.length === 0;
  }

  of(destination: string): Role {
    return this.ownerOf(destination) === this.#self ? this.#owner : this.#guest;
  }

  ownerOf(destination: string): string {
    let [owner, most] = [this.#self, -1];
    if (this.isAlone) return owner;
    for (const node of [this.#self, ...this.#others]) {
      const weight = weightOf(node, destination);
      if (weight > most || (weight === most && node < owner)) [owner, most] = [node, weight];
    }
    return owner;
  }
}

/** The limits of one destination, divided so that all members together keep them: most is the owner's. */
export function sharedPolicy(
  policy: DeliveryPolicy,
  { members, isOwner }: { readonly members: number; readonly isOwner: boolean },
): DeliveryPolicy {
  const { perDestination: limit, queueRoom } = policy;
  const guests = members - 1;
  // Where there are more members than places, guests get none.
  const guest = guests < limit ? Math.max(1, Math.floor(limit / (2 * members))) : 0;
  const perDestination = isOwner ? limit - guests * guest : guest;
  return { ...policy, perDestination, queueRoom: Math.max(1, Math.floor((queueRoom * perDestination) / limit)) };
}

/** A number from 0 up to 2³² that follows from both texts, as evenly as a dice (FNV-1a, mixed as MurmurHash3 ends). */
function weightOf(node: string, destination: string): number {
  let hash = 0x811c9dc5;
  for (const text of [node, '\n', destination]) {
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
