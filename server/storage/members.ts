import type { DeliveryId } from '../model/delivery.ts';

/** How long a member may be silent, by the storage's own clock, before others take what it holds. */
export const LEASE_MS = 10_000;

/** One life of a node. */
export interface Life {
  readonly node: string;
  /** Which of its lives: higher than that of every earlier one, over all restarts. */
  readonly epoch: number;
}

/** One that has just begun. */
export interface NewLife extends Life {
  /** How many deliveries were freed that an earlier life had taken and did not end. */
  readonly freed: number;
}

/** What people know a router by. */
export interface Router {
  /** Its host and process. */
  readonly name: string;
  readonly version: string;
}

export interface JoinRequest {
  readonly now: number;
  /** Without it, a member goes by the name of its node. */
  readonly router?: Router;
}

/** A member as people look at it. Times, those of its circuits too, are of the storage's own clock, in milliseconds since the epoch. */
export interface Member extends Life, Router {
  /** When this life began … */
  readonly startedAt: number;
  /** … and when it was last heard of. */
  readonly lastBeatAt: number;
  /** How many deliveries it is trying. */
  readonly held: number;
  /** Of queues that it owns, as it has told last; absent of one that has told nothing. */
  readonly openCircuits?: readonly OpenCircuit[];
  /** How many there are, by workspace, where they are more than those. */
  readonly parked?: Readonly<Record<string, number>>;
}

/** A circuit that is not closed, as the owner of its queue knows it. */
export interface OpenCircuit {
  readonly destination: string;
  readonly state: 'open' | 'half-open';
  /** Probes that have failed, the round that opened it included. */
  readonly probes: number;
  /** When the next probe is due, while open. */
  readonly probeAt?: number;
  /** What is being tried, while half-open. */
  readonly probe?: DeliveryId;
}

/** How a member divides the limits of destinations, as it has told last. */
export interface Division {
  /** The members among which it does, in words that are the same for all who count with the same. */
  readonly among: string;
  /** Destinations of which it has more in flight than its share, as that has become smaller. */
  readonly over: readonly string[];
  /** Whether it has a share of its own, and can own queues. */
  readonly owns: boolean;
}

/** A circuit with its time as another clock counts it. */
export function datedCircuit(circuit: OpenCircuit, convert: (at: number) => number): OpenCircuit {
  return circuit.probeAt === undefined ? circuit : { ...circuit, probeAt: convert(circuit.probeAt) };
}

/** What a member tells of itself. Circuits are for people to look at: other members do not hear of them. */
export interface Statement extends Division, Pick<Member, 'openCircuits' | 'parked'> {}

/** With its times as another clock counts them. */
export function datedStatement(statement: Statement, convert: (at: number) => number): Statement {
  const { openCircuits } = statement;
  if (openCircuits === undefined) return statement;
  return { ...statement, openCircuits: openCircuits.map((circuit) => datedCircuit(circuit, convert)) };
}

/** A life as others know it. Without a division it is of a version that tells none. */
export interface Peer extends Life {
  readonly division?: Division;
}

/** What a life is known by until it has told something. */
export const NO_SHARE: Division = { among: '', over: [], owns: false };

/** What a member hears when it beats. */
export interface Roster {
  /** All that live: the node itself, and others whose lease has not ended, in no order. */
  readonly members: readonly Peer[];
  /** For how long from when it asked this one lives without another beat; Infinity: as long as its process. */
  readonly leaseMs: number;
}

/** Word for a member: something waits in the queue of a destination. */
export interface Wait {
  /** The node that is to hear of it. */
  readonly to: string;
  readonly destination: string;
  /** When it is due … */
  readonly dueAt: number;
  /** … and when it was accepted, or a moment before. */
  readonly receivedAt: number;
}

/** Word for all members: how a destination fares, as one of them has found. */
export interface CircuitNews {
  readonly destination: string;
  /** `probes`: how many have failed; the next is due at `probeAt`. */
  readonly circuit:
    | { readonly state: 'closed' }
    | { readonly state: 'open'; readonly probes: number; readonly probeAt: number };
}

export interface News {
  readonly waits: readonly Wait[];
  readonly circuits: readonly CircuitNews[];
}

/** What a member tells the others, and of itself. */
export interface MemberReport extends News {
  readonly division: Statement;
}

/** What a member hears of others, and who lives now. */
export interface Heard extends News {
  readonly members: readonly Peer[];
}

/**
 * Who may hold deliveries. A handle on the storage is one node. Its life begins when it joins and ends when it joins
 * again, is reaped, or closes; from then on whatever it writes with the fences of that life is refused.
 */
export interface Members {
  /**
   * Begins a life of this node, and frees what an earlier one still held. Where no other node lives, and a due time was set
   * at a moment that `now` has not reached, the clock has gone back: it is due, and its window is as long as it was then,
   * no longer (HOOK-21).
   */
  join(request: JoinRequest): Promise<NewLife>;
  /** Tells that this node lives, and hears who else does; undefined when its life is over, and it has to join again. */
  beat(): Promise<Roster | undefined>;
  /** Ends the lives of nodes that have been silent for too long, and frees what they held; answers how many deliveries. */
  reap(request: { readonly now: number }): Promise<number>;
  /** All that live, in an order that every node sees alike. */
  members(): Promise<readonly Member[]>;
  /**
   * Tells other members news, notes for all to see how this one divides limits, and answers what they have told this one,
   * once: whoever does not get the answer has missed it.
   * A wait for a node that does not live comes back at once. What was told to a life that has ended, the next does not hear.
   * Rejects with NotAMember.
   */
  exchange(told: MemberReport): Promise<Heard>;
}
