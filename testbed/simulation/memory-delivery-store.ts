import type {
  Acceptance,
  Attempt,
  Backlog,
  Claim,
  Claimed,
  ClaimRequest,
  DeliveryStore,
  RoundRecord,
  Verdict,
} from '../../server/ports/delivery-store.ts';
import type { Message } from '../../server/ports/message.ts';

type State = Verdict['state'] | 'trying';

export interface StoredDelivery {
  readonly id: number;
  readonly destination: string;
  readonly message: Message;
  readonly state: State;
  readonly round: number;
  readonly dueAt: number;
  readonly closed: readonly string[];
  readonly attempts: readonly Attempt[];
}

/** A DeliveryStore that keeps everything in memory: for simulations, where the disk is not the point. */
export class MemoryDeliveryStore implements DeliveryStore {
  readonly #deliveries = new Map<number, StoredDelivery>();
  readonly #seen = new Set<string>();

  /** Everything stored, in order of acceptance. */
  get deliveries(): readonly StoredDelivery[] {
    return [...this.#deliveries.values()];
  }

  accept(acceptances: readonly Acceptance[]): Promise<(readonly Claim[] | 'duplicate')[]> {
    return Promise.resolve(acceptances.map((acceptance) => this.#accept(acceptance)));
  }

  claim({ destination, now, limit }: ClaimRequest): Promise<Claimed> {
    const due = this.#pending(destination).filter((delivery) => delivery.dueAt <= now);
    const claims = due.slice(0, limit).map((delivery) => {
      const round = delivery.round + 1;
      this.#change(delivery.id, { state: 'trying', round });
      return { delivery: delivery.id, destination, message: delivery.message, round, closed: delivery.closed };
    });
    return Promise.resolve({ claims, nextDueAt: this.#pending(destination)[0]?.dueAt });
  }

  record(rounds: readonly RoundRecord[]): Promise<void> {
    for (const { delivery, attempts, verdict } of rounds) {
      const before = this.#deliveries.get(delivery)?.attempts ?? [];
      this.#change(delivery, { ...verdict, attempts: [...before, ...attempts] });
    }
    return Promise.resolve();
  }

  release(deliveries: readonly number[]): Promise<void> {
    for (const id of deliveries) {
      const delivery = this.#deliveries.get(id);
      if (delivery?.state === 'trying') this.#change(id, { state: 'pending', round: delivery.round - 1 });
    }
    return Promise.resolve();
  }

  recover(now: number): Promise<number> {
    const trying = this.deliveries.filter((delivery) => delivery.state === 'trying');
    for (const { id } of trying) this.#change(id, { state: 'pending', dueAt: now });
    return Promise.resolve(trying.length);
  }

  backlog(): Promise<Backlog[]> {
    const destinations = new Set(this.deliveries.map((delivery) => delivery.destination));
    const backlogs = [...destinations].flatMap((destination) => {
      const pending = this.#pending(destination);
      const [first] = pending;
      return first === undefined ? [] : [{ destination, waiting: pending.length, nextDueAt: first.dueAt }];
    });
    return Promise.resolve(backlogs);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #accept({ message, routes }: Acceptance): readonly Claim[] | 'duplicate' {
    const key = JSON.stringify([message.source, message.event.messageId]);
    if (this.#seen.has(key)) return 'duplicate';
    this.#seen.add(key);
    return routes.flatMap(({ destination, claimed }) => {
      const id = this.#deliveries.size + 1;
      const stored = { id, destination, message, dueAt: message.receivedAt, closed: [], attempts: [] };
      this.#deliveries.set(id, { ...stored, state: claimed ? 'trying' : 'pending', round: claimed ? 1 : 0 });
      return claimed ? [{ delivery: id, destination, message, round: 1, closed: [] }] : [];
    });
  }

  #pending(destination: string): StoredDelivery[] {
    return this.deliveries
      .filter((delivery) => delivery.state === 'pending' && delivery.destination === destination)
      .toSorted((a, b) => a.dueAt - b.dueAt || a.id - b.id);
  }

  #change(id: number, change: Partial<StoredDelivery>): void {
    const delivery = this.#deliveries.get(id);
    if (delivery !== undefined) this.#deliveries.set(id, { ...delivery, ...change });
  }
}
