import { ApiError } from '../http/errors.ts';
import type { Quota } from '../model/resources.ts';
import { type Clock, momentOf } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CountStorage, DeliveryLog } from '../storage/delivery-log.ts';
import { OutcomeUnknown } from '../storage/errors.ts';
import { beyondQuota, type Limit } from './beyond.ts';
import { busyAfter, type Spending, takesMs } from './rate.ts';
import { additionsOf, type Counted, countedIn, dayOf, endOf, hourOf, newUsage, onDay, type Usage } from './usage.ts';

/** How often what was let in is stored, and what other routers let in is heard. */
export const HEAR_MS = 500;
/** So long after the last request others are listened to. */
export const LISTEN_MS = 10_000;
const HOUR = 3_600_000;

export interface QuotaPorts {
  readonly storage: CountStorage & Pick<DeliveryLog, 'counts'>;
  /** Undefined where there is no limit. */
  readonly quotaOf: (workspace: string) => Quota | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each request that is refused. */
  readonly refused: (limit: Limit) => void;
}

/** Events that were let in. */
export interface Pass {
  /** To be called where nothing of them was stored: they do not count. */
  giveBack(): void;
}

/**
 * How many events the senders of each workspace may send (ING-11). It is decided in memory. All that routers of one storage
 * share is the day's count: each adds what it let in, twice a second, and hears by that what the others did. So a rate holds
 * over all of them on average, and each may let in what it has not heard of yet. Life: `stop` once.
 */
export class Quotas {
  readonly #ports: QuotaPorts;
  readonly #usages = new Map<string, Usage>();
  /** Of days that are over, not stored yet. */
  #over: Usage[] = [];
  readonly #abort = new AbortController();
  /** Set while anybody sends. */
  #hearing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(ports: QuotaPorts) {
    this.#ports = ports;
  }

  /** Throws where not even one event would be let in, as far as is known here: for the time before a body is read. */
  refuseFull(workspace: string): void {
    const quota = this.#ports.quotaOf(workspace);
    const usage = quota && this.#today(workspace);
    if (quota !== undefined && usage !== undefined) this.#refuseBeyond(quota, usage, 1);
  }

  /** Undefined without a quota: then nothing is waited for. Rejects with ResourceExhausted where these are too many. */
  take(workspace: string, events: number): Promise<Pass> | undefined {
    const quota = this.#ports.quotaOf(workspace);
    return quota === undefined ? undefined : this.#take(workspace, quota, events);
  }

  /** What is counted of today, and when the day ends. */
  async used(workspace: string): Promise<Counted & { readonly endsAt: number }> {
    const day = dayOf(this.#ports.clock.now());
    const stored = await this.#stored(workspace, day);
    const { events, refused } = this.#today(workspace) ?? { events: 0, refused: 0 };
    return { events: stored.events + events, refused: stored.refused + refused, endsAt: endOf(day) };
  }

  /** Stores what is left, once. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#hearing;
    await this.#hear();
  }

  async #take(workspace: string, quota: Quota, events: number): Promise<Pass> {
    const usage = this.#today(workspace) ?? (await this.#load(workspace));
    this.#refuseBeyond(quota, usage, events);
    const { events_per_second: perSecond } = quota;
    usage.events += events;
    if (perSecond > 0) usage.busyUntil = busyAfter(usage.busyUntil, { events, perSecond }, this.#ports.clock.steady());
    return { giveBack: () => this.#giveBack(usage, { events, perSecond }) };
  }

  /** Of a day that was over meanwhile it may be stored already, and is taken off there. */
  #giveBack(usage: Usage, { events, perSecond }: Spending): void {
    const today = this.#today(usage.workspace) ?? usage;
    usage.events -= events;
    if (perSecond > 0) today.busyUntil -= takesMs({ events, perSecond });
    if (today !== usage && !this.#over.includes(usage)) this.#over.push(usage);
    this.#listen();
  }

  #refuseBeyond(quota: Quota, usage: Usage, events: number): void {
    const { clock, refused } = this.#ports;
    usage.askedAt = clock.steady();
    this.#listen();
    const beyond = beyondQuota(quota, usage, events, momentOf(clock));
    if (beyond === undefined) return;
    usage.refused += 1;
    refused(beyond.limit);
    const retryAfterS = Math.max(1, Math.ceil(beyond.waitMs / 1_000));
    const limit = `the quota of ${usage.workspace} is ${beyond.most} events per ${beyond.limit}`;
    throw new ApiError('ResourceExhausted', `${limit}; retry in ${retryAfterS} s`, { retryAfterS });
  }

  /** Undefined where the storage has to be asked first. */
  #today(workspace: string): Usage | undefined {
    const usage = this.#usages.get(workspace);
    const day = dayOf(this.#ports.clock.now());
    if (usage === undefined || usage.day === day) return usage;
    if (isUnstored(usage)) this.#over.push(usage);
    const next = onDay(day, usage);
    this.#usages.set(workspace, next);
    return next;
  }

  async #load(workspace: string): Promise<Usage> {
    const { clock } = this.#ports;
    const day = dayOf(clock.now());
    const { events: stored } = await this.#stored(workspace, day);
    const known = this.#today(workspace);
    if (known !== undefined) return known;
    const usage = newUsage(workspace, day, { stored, now: clock.steady() });
    this.#usages.set(workspace, usage);
    return usage;
  }

  async #stored(workspace: string, day: number): Promise<Counted> {
    const from = hourOf(day);
    return countedIn(await this.#ports.storage.counts({ destination: workspace, from, to: from + HOUR }));
  }

  #listen(): void {
    this.#hearing ??= this.#keepHearing().finally(() => (this.#hearing = undefined));
  }

  async #keepHearing(): Promise<void> {
    const { signal } = this.#abort;
    do {
      await this.#ports.clock.sleep(HEAR_MS, signal);
      if (!signal.aborted) await this.#hear();
    } while (!signal.aborted && this.#active().length > 0);
  }

  /** Those of today that somebody sends to, or that are not stored yet. */
  #active(): Usage[] {
    const now = this.#ports.clock.steady();
    const todays = [...this.#usages.keys()].flatMap((workspace) => this.#today(workspace) ?? []);
    return todays.filter((usage) => now - usage.askedAt < LISTEN_MS || isUnstored(usage));
  }

  async #hear(): Promise<void> {
    const active = this.#active();
    const sent = [...this.#over, ...active].map((usage) => ({ usage, ...usage, additions: additionsOf(usage) }));
    if (sent.length === 0) return;
    const additions = sent.flatMap((one) => one.additions);
    const counts = await this.#store(additions);
    if (counts === undefined) return;
    let at = 0;
    for (const { usage, events, refused, additions: own } of sent) {
      usage.events -= events;
      usage.refused -= refused;
      this.#hearOthers(usage, events, counts[at]);
      at += own.length;
    }
    this.#over = this.#over.filter(isUnstored);
  }

  /** Undefined where nothing of it was stored. */
  async #store(
    additions: Parameters<CountStorage['addCounts']>[0],
  ): Promise<readonly (number | undefined)[] | undefined> {
    const { storage, log } = this.#ports;
    try {
      const counts = await storage.addCounts(additions);
      if (this.#hasFailed) log.info({}, 'usage of quotas is stored again');
      this.#hasFailed = false;
      return counts;
    } catch (error) {
      if (!this.#hasFailed) log.warn({ reason: String(error) }, 'usage of quotas is not stored, retrying');
      this.#hasFailed = true;
      // It may be stored: sent again it would count twice.
      return error instanceof OutcomeUnknown ? [] : undefined;
    }
  }

  /** What others let in takes up the rate as well, from when they were heard last. Of long ago nothing is owed. */
  #hearOthers(usage: Usage, sent: number, total = usage.stored + sent): void {
    const now = this.#ports.clock.steady();
    const { events_per_second: perSecond = 0 } = this.#ports.quotaOf(usage.workspace) ?? {};
    const events = Math.max(0, total - usage.stored - sent);
    if (perSecond > 0 && now - usage.heardAt < LISTEN_MS) {
      usage.busyUntil = busyAfter(usage.busyUntil, { events, perSecond }, usage.heardAt);
    }
    usage.stored = total;
    usage.heardAt = now;
  }
}

function isUnstored({ events, refused }: Usage): boolean {
  return events !== 0 || refused !== 0;
}
