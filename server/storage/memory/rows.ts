import type { VersionOf } from '../versions.ts';
import { type DeliveryId, deliveryId, type DeliveryState, type Route } from '../../model/delivery.ts';
import type { LoggedAttempt, LoggedReplay } from '../../model/logged-delivery.ts';
import type { Message } from '../../model/message.ts';
import type { Replay } from '../../model/replay.ts';
import type { Sync } from '../../model/sync.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Accepted } from '../delivery-storage.ts';
import type { Caught } from '../inbox.ts';
import type { Statement, Life, News, Router } from '../members.ts';

export interface StoredDelivery {
  readonly id: DeliveryId;
  /** Grows with each; the order of walks. */
  readonly order: number;
  readonly destination: string;
  /** `receivedAt` is where its window begins: the acceptance, or the last replay. */
  readonly message: Message;
  /** By the wall: the log is in this order. */
  readonly acceptedAt: number;
  /** Characters of the event's JSON. */
  readonly bytes: number;
  readonly state: DeliveryState;
  /** Who is trying it; meaningless in any other state. */
  readonly holder: Life | undefined;
  readonly round: number;
  readonly tries: number;
  readonly earlierRounds: number;
  readonly dueAt: number;
  readonly setAt: number;
  readonly endedAt: number;
  readonly closed: readonly string[];
  readonly line: number | undefined;
  readonly attempts: readonly LoggedAttempt[];
  readonly replayed: readonly LoggedReplay[];
}

export interface StoredReplay extends Replay {
  /** It has dealt with everything up to this place … */
  readonly acceptedAt: number;
  readonly order: number;
  /** … and looks at nothing that was stored after this. */
  readonly lastOrder: number;
}

/** What a destination was told of a user last. */
export interface StoredTold {
  readonly computation: string;
  readonly destination: string;
  readonly user: string;
  /** Undefined where it may not have heard it. */
  readonly value: string | undefined;
  /** Its sync and its delivery. */
  readonly sync: number;
  readonly delivery: DeliveryId;
  /** The sync that could not tell it yet; 0 where there is none. */
  readonly heldIn: number;
}

/** What no sync has counted as ended. */
export interface StoredTelling {
  readonly computation: string;
  readonly sync: number;
}

export interface StoredMember extends Router {
  readonly epoch: number;
  readonly startedAt: number;
  /** When its lease ends, by the storage's clock; undefined once its life is over. */
  readonly until: number | undefined;
  readonly division: Statement;
}

export interface MemoryOptions {
  /** The storage's own clock: leases are by it. */
  readonly clock: Pick<Clock, 'steady'>;
  /** Where the configuration is kept elsewhere. */
  readonly versionOf?: VersionOf;
  /** When nodes hear of changes that others made, unless they ask; at once when not given. */
  readonly hearLater?: (hear: () => void) => void;
}

/** All that is kept, whoever has it open. Rows are replaced, never changed. */
export class Rows {
  readonly options: MemoryOptions;
  readonly deliveries = new Map<DeliveryId, StoredDelivery>();
  /** When each message id was seen, by source and id (D-43). */
  readonly seen = new Map<string, number>();
  /** What was answered to an accept, by node and key. */
  readonly accepted = new Map<string, Accepted>();
  readonly members = new Map<string, StoredMember>();
  /** What each has been told and did not ask for yet. */
  readonly news = new Map<string, News>();
  readonly replays = new Map<number, StoredReplay>();
  /** Who has a job, and until when. */
  readonly leases = new Map<string, { readonly node: string; readonly until: number }>();
  /** Counts of an hour, by hour, destination and what. */
  readonly counts = new Map<string, number>();
  /** Until when each id is remembered that may be used once, by owner and id. */
  readonly usedIds = new Map<string, Map<string, number>>();
  /** What was caught and not folded yet, by its id. */
  readonly inbox = new Map<number, Caught>();
  /** By `syncKey`; those of one computation in their order. */
  readonly syncs = new Map<string, Sync>();
  /** By `toldKey`. */
  readonly told = new Map<string, StoredTold>();
  readonly tellings = new Map<DeliveryId, StoredTelling>();
  /** How often users were erased. */
  erasures = 0;
  readonly #pending = new Map<string, Set<DeliveryId>>();
  /** What has not ended, by `lineKey`. */
  readonly #lines = new Map<string, Set<DeliveryId>>();
  /** Of lines in which nothing has changed since they were asked for their first. */
  readonly #firsts = new Map<string, StoredDelivery>();
  #order = 0;
  #lastCaught = 0;

  constructor(options: MemoryOptions) {
    this.options = options;
  }

  /** A place that none had before. */
  next(): { readonly id: DeliveryId; readonly order: number } {
    this.#order += 1;
    return { id: deliveryId(String(this.#order)), order: this.#order };
  }

  /** Everything stored, in order of acceptance. */
  all(): StoredDelivery[] {
    return [...this.deliveries.values()];
  }

  /** In no order. */
  pendingOf(destination: string): StoredDelivery[] {
    return [...(this.#pending.get(destination) ?? [])].flatMap((id) => this.deliveries.get(id) ?? []);
  }

  /** The first of a line that has not ended. */
  firstOf({ destination, line }: Pick<Route, 'destination' | 'line'>): StoredDelivery | undefined {
    if (line === undefined) return undefined;
    const key = lineKey(destination, line);
    const known = this.#firsts.get(key);
    if (known !== undefined) return known;
    const [first] = [...(this.#lines.get(key) ?? [])].flatMap((id) => this.deliveries.get(id) ?? []).toSorted(byAge);
    if (first !== undefined) this.#firsts.set(key, first);
    return first;
  }

  /** Whether nothing of its line is to end before it. */
  isFirst(delivery: StoredDelivery): boolean {
    return delivery.line === undefined || this.firstOf(delivery)?.id === delivery.id;
  }

  /** Destinations that something waits for, or waited for once. */
  destinations(): string[] {
    return [...this.#pending.keys()];
  }

  change(delivery: StoredDelivery, change: Partial<StoredDelivery>): void {
    this.keep({ ...delivery, ...change });
  }

  keep(delivery: StoredDelivery): void {
    const { id, destination, state } = delivery;
    this.deliveries.set(id, delivery);
    if (state !== 'pending') this.#pending.get(destination)?.delete(id);
    else this.#pending.set(destination, (this.#pending.get(destination) ?? new Set()).add(id));
    this.#line(delivery, state === 'pending' || state === 'trying');
  }

  remove(delivery: StoredDelivery): void {
    this.deliveries.delete(delivery.id);
    this.#pending.get(delivery.destination)?.delete(delivery.id);
    this.#line(delivery, false);
  }

  #line(delivery: StoredDelivery, isUnfinished: boolean): void {
    const { id, destination, line } = delivery;
    if (line === undefined) return;
    const key = lineKey(destination, line);
    const ids = this.#lines.get(key) ?? new Set();
    const first = this.#firsts.get(key);
    // What comes behind it changes nothing: each event of a long line would be sorted anew.
    if (first?.id === id || (first !== undefined && byAge(delivery, first) < 0)) this.#firsts.delete(key);
    if (isUnfinished) ids.add(id);
    else ids.delete(id);
    if (ids.size > 0) this.#lines.set(key, ids);
    else this.#lines.delete(key);
  }

  /** Notes how a member that lives divides limits. */
  divide({ node }: Life, division: Statement): void {
    const member = this.members.get(node);
    if (member !== undefined) this.members.set(node, { ...member, division });
  }

  catch(source: string, caught: string): void {
    this.#lastCaught += 1;
    this.inbox.set(this.#lastCaught, { id: this.#lastCaught, source, caught });
  }

  /** What is caught from now on has greater ids. */
  continueInbox(after: number): void {
    this.#lastCaught = Math.max(this.#lastCaught, after);
  }

  syncKey({ computation, number }: Pick<Sync, 'computation' | 'number'>): string {
    return JSON.stringify([computation, number]);
  }

  keepSync(sync: Sync): void {
    this.syncs.set(this.syncKey(sync), sync);
  }

  toldKey({ computation, destination, user }: Pick<StoredTold, 'computation' | 'destination' | 'user'>): string {
    return JSON.stringify([computation, destination, user]);
  }

  /** A member that lives has a lease until then. */
  beat({ node }: Life, until: number): void {
    const member = this.members.get(node);
    if (member !== undefined) this.members.set(node, { ...member, until });
  }

  isAlive({ node, epoch }: Life): boolean {
    const member = this.members.get(node);
    return member?.epoch === epoch && member.until !== undefined;
  }

  /** Answers how many there are then. */
  count(destination: string, at: number, what: string, more = 1): number {
    const key = countKey(at - (at % HOUR), destination, what);
    const count = (this.counts.get(key) ?? 0) + more;
    this.counts.set(key, count);
    return count;
  }
}

function lineKey(destination: string, line: number): string {
  return `${line} ${destination}`;
}

export const HOUR = 3_600_000;

function countKey(hour: number, destination: string, what: string): string {
  return JSON.stringify([hour, destination, what]);
}

export function byAge(a: StoredDelivery, b: StoredDelivery): number {
  return a.message.receivedAt - b.message.receivedAt || a.order - b.order;
}

export function byDueTime(a: StoredDelivery, b: StoredDelivery): number {
  return a.dueAt - b.dueAt || a.order - b.order;
}

/** In the order of the log. */
export function byAcceptance(a: StoredDelivery, b: StoredDelivery): number {
  return a.acceptedAt - b.acceptedAt || a.order - b.order;
}
