import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { StoreUnavailable } from '../storage/config-store.ts';
import { NotStorable } from '../storage/errors.ts';
import { storeInHalves } from '../storage/in-halves.ts';
import type { LossBatch, LossQuery, LossStorage, StoredLosses } from '../storage/losses.ts';
import { createAcceptedEvents } from './accepted-events.ts';
import { createDroppedEvents, LOSS_KINDS } from './dropped-events.ts';
import { ACCEPTED_LIST, batchesOf, divided, trafficList, united } from './loss-batch.ts';
import type { ErasedUsers, ItemEraser } from './erase-items.ts';
import { eraseItemsIn, type LossReader, type LossSinks } from './loss-reader.ts';
import { Repetition } from './repetition.ts';
import { acceptedIn, dropsIn, trafficIn, undecidedIn, unknownKeysIn, violationsIn } from './stored-losses.ts';
import { createTraffic, TRAFFIC_UNITS } from './traffic.ts';
import { createUndecided } from './undecided.ts';
import { createUnknownKeys } from './unknown-keys.ts';
import { createViolations } from './violations.ts';

/** How often what was lost goes to the storage. */
export const SEND_MS = 2_000;

export interface SharedLossPorts {
  readonly storage: LossStorage;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What a router that shares its storage accepted and lost. It is counted in memory, in bounded room, and sent in batches; no event
 * waits for that. Who asks is answered by the storage, and so alike by every router. Life: `start` once, `stop` once.
 */
export class SharedLosses implements LossReader, ItemEraser {
  readonly sinks: LossSinks;
  readonly #ports: SharedLossPorts;
  readonly #repeated: Repetition;
  #pending: ReturnType<typeof newPending>;
  /** Begun to be sent: it goes first, in its order. */
  readonly #unsent: LossBatch[] = [];
  /** Set while something is being sent. Rejects when it fails. */
  #sending: Promise<void> | undefined;
  #hasFailed = false;

  constructor(ports: SharedLossPorts) {
    this.#ports = ports;
    this.#repeated = new Repetition(ports.clock, SEND_MS, () => this.#send().catch(() => undefined));
    this.#pending = newPending(ports.clock);
    // Tells the log of each key once.
    const told = createUnknownKeys(ports);
    this.sinks = {
      accepted: {
        add: (source, events) => {
          if (events.length > 0) this.#pending.sources.add(source);
          this.#pending.losses.accepted.add(source, events);
        },
      },
      dropped: {
        add: (source, counts, last) => {
          this.#pending.sources.add(source);
          this.#pending.losses.dropped.add(source, counts, last);
        },
      },
      violations: {
        add: (source, counts, last) => {
          this.#pending.sources.add(source);
          this.#pending.losses.violations.add(source, counts, last);
        },
      },
      traffic: { add: (...counted) => this.#pending.losses.traffic.add(...counted) },
      undecided: {
        add: (kind, name, ...counted) => {
          this.#pending.definitions.add(name);
          this.#pending.losses.undecided.add(kind, name, ...counted);
        },
      },
      unknownKeys: {
        add: (key, events) => {
          told.add(key, events);
          this.#pending.losses.unknownKeys.add(key, events);
        },
      },
    };
  }

  async traffic(workspace: string) {
    const now = this.#ports.clock.now();
    const minutes = [now - TRAFFIC_UNITS.hour.ms, now].map((at) => trafficList('minute', at));
    const hours = trafficList('hour', now);
    const stored = await this.#read({ owners: [workspace], lists: [...minutes, hours] });
    return { since: stored.since, ...trafficIn(stored, hours, now) };
  }

  start(): void {
    this.#repeated.start();
  }

  /** Sends what is left, once. */
  stop(): Promise<void> {
    return this.#repeated.stop();
  }

  async accepted(source: string) {
    const stored = await this.#read({ owners: [source], lists: [ACCEPTED_LIST] });
    return { since: stored.since, ...acceptedIn(stored) };
  }

  async dropped(source: string) {
    const stored = await this.#read({ owners: [source], lists: LOSS_KINDS });
    return { since: stored.since, ...dropsIn(stored) };
  }

  async violations(source: string) {
    const stored = await this.#read({ owners: [source], lists: ['violations'] });
    return { since: stored.since, ...violationsIn(stored) };
  }

  async unknownKeys() {
    const stored = await this.#read({ owners: [''], lists: ['unknown-keys'] });
    return { since: stored.since, ...unknownKeysIn(stored) };
  }

  async undecided(names: readonly string[]) {
    return undecidedIn(await this.#read({ owners: names, lists: ['undecided'] }));
  }

  /** Of what waits to be sent. */
  eraseUnsent(users: ErasedUsers): Promise<void> {
    return eraseItemsIn(this.#pending.losses, users);
  }

  /** What is not sent yet first, so that it does not come behind. */
  async eraseItems(users: ErasedUsers): Promise<void> {
    await this.eraseUnsent(users);
    await this.#send();
    await this.#ports.storage.eraseItems(users);
  }

  /** What this router has counted is seen by whoever asks it. */
  async #read(query: LossQuery): Promise<StoredLosses> {
    await this.#send();
    return this.#ports.storage.losses(query);
  }

  /** One batch after the other. */
  async #send(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending.catch(() => undefined);
    this.#sending = this.#sendAll().finally(() => (this.#sending = undefined));
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    await this.#sendBegun();
    const pending = this.#pending;
    const { unknownKeys, traffic } = pending.losses;
    const kinds = pending.sources.size + pending.definitions.size + unknownKeys.total() + traffic.all().length;
    if (kinds === 0) return;
    this.#pending = newPending(this.#ports.clock);
    this.#unsent.push(...batchesOf(pending, this.#ports.clock.now()));
    await this.#sendBegun();
  }

  async #sendBegun(): Promise<void> {
    if (this.#unsent.length === 0) return;
    for (let first = this.#unsent[0]; first !== undefined; first = this.#unsent[0]) await this.#sendOne(first);
    if (this.#hasFailed) this.#ports.log.info({}, 'counts of dropped events are stored again');
    this.#hasFailed = false;
  }

  async #sendOne(batch: LossBatch): Promise<void> {
    const { storage, log } = this.#ports;
    try {
      await storage.addLosses(batch);
      this.#unsent.shift();
    } catch (error) {
      if (error instanceof NotStorable) return this.#sendInHalves(batch);
      // What may be stored would count twice.
      if (!(error instanceof StoreUnavailable)) this.#unsent.shift();
      if (!this.#hasFailed) log.warn({ reason: String(error) }, 'counts of dropped events are not stored, retrying');
      this.#hasFailed = true;
      throw error;
    }
  }

  /** What is refused would be refused again: it holds up none behind it, nor what else is in its batch. */
  async #sendInHalves(batch: LossBatch): Promise<void> {
    const { storage, log } = this.#ports;
    this.#unsent.shift();
    const unsent = new Set(divided(batch));
    try {
      const { refused } = await storeInHalves([...unsent], async (some) => {
        await storage.addLosses(united(some));
        for (const one of some) unsent.delete(one);
      });
      const fields = { counts: unsent.size, reason: refused[0]?.reason };
      log.warn(fields, 'counts of dropped events are refused, and left out');
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#unsent.unshift(united([...unsent]));
      throw error;
    }
  }
}

function newPending(clock: Clock) {
  const unknownKeys = createUnknownKeys({ clock, log: { warn: () => undefined } });
  const kept = { dropped: createDroppedEvents(), violations: createViolations(), undecided: createUndecided() };
  const [accepted, traffic] = [createAcceptedEvents(), createTraffic(clock)];
  return {
    losses: { ...kept, accepted, traffic, unknownKeys },
    sources: new Set<string>(),
    definitions: new Set<string>(),
  };
}
