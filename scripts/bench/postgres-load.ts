import { randomUUID } from 'node:crypto';
import type { Attempt, Claim, RoundRecord } from '../../server/model/delivery.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import { systemClock } from '../../server/system-clock.ts';
import { destinationName, sourceName } from './names.ts';
import { numberedEvent } from './numbered-event.ts';

export interface Load {
  readonly callers: number;
  /** Events of a call. */
  readonly batch: number;
  readonly events: number;
}

const DESTINATIONS = 100;
/** Nothing more is accepted while so many rounds are not recorded. */
const MAX_UNRECORDED = 2_000;
const ATTEMPT: Omit<Attempt, 'startedAt'> = {
  webhook: 'https://webhook.example.test/path/1',
  number: 0,
  durationMs: 12,
  phases: { connectMs: 1, sendMs: 0, waitMs: 10, readMs: 1 },
  outcome: 'delivered',
  status: 200,
  excerpt: 'ok',
  rule: 'success_ends_delivery',
};

/** Accepts events and records their success, as a router does: many calls at once, and one record at a time. */
export class StorageLoad {
  readonly #store: Pick<DeliveryStorage, 'accept' | 'record'>;
  #next = 0;
  #ended: RoundRecord[] = [];
  #recording: Promise<void> | undefined;
  /** What is being recorded is. */
  #taken: Promise<unknown> | undefined;

  constructor(store: Pick<DeliveryStorage, 'accept' | 'record'>) {
    this.#store = store;
  }

  async run({ callers, batch, events }: Load): Promise<void> {
    let calls = events / batch;
    const caller = async (): Promise<void> => {
      while (calls > 0) {
        calls -= 1;
        this.#finish(await this.#accept(batch));
        while (this.#ended.length > MAX_UNRECORDED) await this.#taken;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    await this.#recording;
  }

  async #accept(batch: number): Promise<readonly Claim[]> {
    const receivedAt = systemClock.steady();
    const acceptances = Array.from({ length: batch }, () => {
      const number = (this.#next += 1);
      const message = { source: sourceName(number % DESTINATIONS), receivedAt, event: numberedEvent(number) };
      return { message, routes: [{ destination: destinationName(number % DESTINATIONS), claimed: true }] };
    });
    const request = { key: randomUUID(), workspace: 'workspaces/main', version: 0, acceptances };
    const claims = (await this.#store.accept(request)).flatMap((one) => (one === 'duplicate' ? [] : one));
    if (claims.length !== batch) throw new Error(`of ${batch} events ${claims.length} were accepted`);
    return claims;
  }

  #finish(claims: readonly Claim[]): void {
    const endedAt = Date.now();
    for (const { delivery, node, epoch, round, destination } of claims) {
      const fence = { delivery, node, epoch, round };
      const attempts = [{ ...ATTEMPT, startedAt: endedAt }];
      this.#ended.push({ ...fence, destination, attempts, verdict: { state: 'delivered' }, endedAt, ageMs: 20 });
    }
    this.#recording ??= this.#record().finally(() => (this.#recording = undefined));
  }

  async #record(): Promise<void> {
    while (this.#ended.length > 0) {
      const rounds = this.#ended;
      this.#ended = [];
      const recorded = this.#store.record(rounds);
      this.#taken = recorded;
      const { refused } = await recorded;
      if (refused.length > 0) throw new Error(`${refused.length} of ${rounds.length} rounds were refused`);
    }
  }
}
