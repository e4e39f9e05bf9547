import type { DeliveryPolicy } from '../model/policy.ts';
import type { Life, Peer } from '../storage/members.ts';
import { gapOf, limitedPolicy, type Limits } from './pace.ts';

/** What a router may do for a destination (D-62). */
export interface Role {
  /** Whether the queue of what waits in storage is its own: backlog, retries and probes. */
  readonly isOwner: boolean;
  /** With its share of the destination's limits. */
  readonly policy: DeliveryPolicy;
  /** Of the destination, as they were when this was found … */
  readonly limits?: Limits | undefined;
  /** … and how far apart its rounds are by them. */
  readonly gapMs?: number;
}

/** Members among which limits are divided. */
interface Roster {
  /** The same text for all who count with the same members. */
  readonly name: string;
  readonly nodes: readonly string[];
  readonly owners: readonly string[];
}

/**
 * Who owns the queue of each destination among the members of a storage, told by their names alone: all who know of the same
 * members find the same owner, and a change of members moves few queues (rendezvous hashing).
 *
 * Shares shrink with the word that the members are others, and grow once all have it, and have in flight what is left to them:
 * until then a router has the least of its shares since all agreed. Whoever is new had none, and owns nothing before it has.
 */
export class Roles {
  readonly #policy: DeliveryPolicy;
  readonly #limitsOf: (destination: string) => Limits | undefined;
  readonly #shares = new Map<number, DeliveryPolicy>();
  /** The node that this router is. */
  self = '';
  /** Those by which members may still send; the last is the one that was heard last. */
  #rosters: readonly Roster[] = [];
  /** Where somebody has more in flight than is left to it; unset until all agree. */
  #over: ReadonlySet<string> | undefined;

  constructor(policy: DeliveryPolicy, limitsOf: (destination: string) => Limits | undefined = () => undefined) {
    this.#policy = policy;
    this.#limitsOf = limitsOf;
  }

  /** The first members that a life hears of, itself among them. */
  begin(self: Life, peers: readonly Peer[]): void {
    this.self = self.node;
    // Before it there was nobody that it could have had a share with.
    this.#rosters = [rosterOf([]), rosterOf(peers)];
    this.#over = undefined;
    if (this.isAlone) this.agree(new Set());
  }

  /** Hears who lives now; answers whether that is another roster. */
  meet(peers: readonly Peer[]): boolean {
    if (nameOf(peers) === this.among) return false;
    const roster = rosterOf(peers);
    this.#rosters = [...this.#rosters.filter(({ name }) => name !== roster.name), roster];
    this.#over = undefined;
    if (this.isAlone) this.agree(new Set());
    return true;
  }

  /** All count with the roster that was heard last, and have no more in flight than that leaves them, but for these. */
  agree(over: ReadonlySet<string>): void {
    this.#over = over;
    if (over.size === 0) this.#rosters = this.#rosters.slice(-1);
  }

  /** Whether all members have made room for each other. */
  get isAgreed(): boolean {
    return this.#over?.size === 0;
  }

  /** The roster that was heard last. */
  get among(): string {
    return this.#latest?.name ?? '';
  }

  get isAlone(): boolean {
    return this.#latest === undefined || this.#latest.nodes.length <= 1;
  }

  of(destination: string): Role {
    const limits = this.#limitsOf(destination);
    const isAgreed = this.#over !== undefined && !this.#over.has(destination);
    const rosters = isAgreed ? this.#rosters.slice(-1) : this.#rosters;
    const policy = limits === undefined ? this.#policy : limitedPolicy(this.#policy, limits);
    const isPaced = limits?.perSecond !== undefined;
    const shares = rosters.map((roster) => this.#shareIn(roster, destination, policy.perDestination, isPaced));
    const share = Math.min(...shares);
    const isOwner = this.ownerOf(destination) === this.self;
    return limits === undefined
      ? { isOwner, policy: this.#withShare(share) }
      : { isOwner, limits, gapMs: gapOf(limits), policy: withShare(policy, share) };
  }

  ownerOf(destination: string): string {
    return this.#ownerIn(this.#latest, destination);
  }

  /** Whether a queue is its own by the members of now, whoever is heard of later. */
  ownership(): (destination: string) => boolean {
    const roster = this.#latest;
    return (destination) => this.#ownerIn(roster, destination) === this.self;
  }

  #ownerIn(roster: Roster | undefined, destination: string): string {
    return (roster && ownerIn(roster, destination)) ?? this.self;
  }

  get #latest(): Roster | undefined {
    return this.#rosters.at(-1);
  }

  #shareIn(roster: Roster, destination: string, limit: number, isPaced: boolean): number {
    const { nodes } = roster;
    if (!nodes.includes(this.self)) return 0;
    const isOwner = ownerIn(roster, destination) === this.self;
    // One alone can keep a pace that is even, and the whole of it.
    if (isPaced) return isOwner ? limit : 0;
    return shareOf(limit, { members: nodes.length, isOwner });
  }

  #withShare(share: number): DeliveryPolicy {
    const known = this.#shares.get(share) ?? withShare(this.#policy, share);
    this.#shares.set(share, known);
    return known;
  }
}

/** What one member may have in flight of a destination, so that all together keep its limit: most is the owner's. */
export function shareOf(
  limit: number,
  { members, isOwner }: { readonly members: number; readonly isOwner: boolean },
): number {
  const guests = members - 1;
  // Where there are more members than places, guests get none.
  const guest = guests < limit ? Math.max(1, Math.floor(limit / (2 * members))) : 0;
  return isOwner ? limit - guests * guest : guest;
}

/** The policy of a router that has this share of the limit. */
export function withShare(policy: DeliveryPolicy, perDestination: number): DeliveryPolicy {
  const { perDestination: limit, queueRoom } = policy;
  return { ...policy, perDestination, queueRoom: Math.max(1, Math.floor((queueRoom * perDestination) / limit)) };
}

function rosterOf(peers: readonly Peer[]): Roster {
  const sorted = sortedByNode(peers);
  const nodes = sorted.map(({ node }) => node);
  const owners = sorted.filter(canOwn).map(({ node }) => node);
  // Those that begin together have all of it.
  return { name: nameOf(peers), nodes, owners: owners.length === 0 ? nodes : owners };
}

function nameOf(peers: readonly Peer[]): string {
  return sortedByNode(peers)
    .map((peer) => `${peer.node}:${peer.epoch}${canOwn(peer) ? '' : '?'}`)
    .join(' ');
}

function sortedByNode(peers: readonly Peer[]): readonly Peer[] {
  return peers.length === 1 ? peers : peers.toSorted((a, b) => (a.node < b.node ? -1 : 1));
}

function canOwn({ division }: Peer): boolean {
  return division?.owns !== false;
}

function ownerIn({ owners }: Roster, destination: string): string | undefined {
  let [owner, most]: [string | undefined, number] = [undefined, -1];
  if (owners.length === 1) return owners[0];
  for (const node of owners) {
    const weight = weightOf(node, destination);
    // They are in order: of two that weigh the same it is the first.
    if (weight > most) [owner, most] = [node, weight];
  }
  return owner;
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
