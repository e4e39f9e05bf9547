import type { Acceptance, Attempt, Claim, RoundRecord, Verdict } from '../../server/model/delivery.ts';
import type {
  Backlog,
  ClaimRequest,
  Claimed,
  DeliveryStorage,
  Unfinished,
} from '../../server/storage/delivery-storage.ts';
import type { Message } from '../../server/model/message.ts';

type State = Verdict['state'] | 'trying';

export interface StoredDelivery {
  readonly id: number;
  readonly destination: string;
  readonly message: Message;
  readonly state: State;
  readonly round: number;
  readonly tries: number;
  readonly dueAt: number;
  readonly setAt: number;
  readonly closed: readonly string[];
  readonly attempts: readonly StoredAttempt[];
}

export interface StoredAttempt extends Attempt {
  readonly round: number;
}

/** A DeliveryStorage that keeps everything in memory: for simulations, where the disk is not the point. */
export class MemoryDeliveryStore implements DeliveryStorage {
  readonly #deliveries = new Map<number, StoredDelivery>();
  /** Ids of what is pending, by destination. */
  readonly #pending = new Map<string, Set<number>>();
  readonly #seen = new Set<string>();

  /** Everything stored, in order of acceptance. */
  get deliveries(): readonly StoredDelivery[] {
    return [...this.#deliveries.values()];
  }

  accept(acceptances: readonly Acceptance[]): Promise<(readonly Claim[] | 'duplicate')[]> {
    return Promise.resolve(acceptances.map((acceptance) => this.#accept(acceptance)));
  }

  claim(request: ClaimRequest): Promise<Claimed> {
    const { destination, limit, bytes } = request;
    const chosen = within(choose(this.#pendingOf(destination), request).slice(0, limit), bytes);
    const claims = chosen.map((delivery) => {
      const round = delivery.round + 1;
      this.#change(delivery, { state: 'trying', round });
      const { id, message, tries, closed } = delivery;
      return { delivery: id, destination, message, bytes: bytesOf(delivery), round, tries, closed };
    });
    const left = this.#pendingOf(destination);
    const [next, oldest] = [left.toSorted(byDueTime)[0], left[0]];
    return Promise.resolve({ claims, nextDueAt: next?.dueAt, oldestReceivedAt: oldest?.message.receivedAt });
  }

  record(rounds: readonly RoundRecord[]): Promise<void> {
    for (const { delivery, round, attempts, verdict } of rounds) {
      const before = this.#deliveries.get(delivery);
      if (before === undefined) continue;
      const isCurrent = before.state === 'trying' && before.round === round;
      this.#change(before, {
        ...(isCurrent ? verdict : {}),
        attempts: [...before.attempts, ...ofRound(attempts, round)],
      });
    }
    return Promise.resolve();
  }

  release(deliveries: readonly number[]): Promise<void> {
    for (const id of deliveries) {
      const delivery = this.#deliveries.get(id);
      if (delivery?.state === 'trying') this.#change(delivery, { state: 'pending' });
    }
    return Promise.resolve();
  }

  recover(now: number): Promise<number> {
    const trying = this.deliveries.filter(({ state }) => state === 'trying');
    const setLater = this.deliveries.filter(({ state, setAt }) => state === 'pending' && setAt > now);
    for (const delivery of [...trying, ...setLater]) {
      const { message, setAt } = delivery;
      const receivedAt = message.receivedAt - Math.max(0, setAt - now);
      this.#change(delivery, { state: 'pending', dueAt: now, setAt: now, message: { ...message, receivedAt } });
    }
    return Promise.resolve(trying.length);
  }

  backlog(): Promise<Backlog[]> {
    const backlogs = [...this.#pending.keys()].flatMap((destination) => {
      const pending = this.#pendingOf(destination);
      const [[first], [oldest]] = [pending.toSorted(byDueTime), pending];
      if (first === undefined || oldest === undefined) return [];
      const { receivedAt } = oldest.message;
      return [{ destination, waiting: pending.length, nextDueAt: first.dueAt, oldestReceivedAt: receivedAt }];
    });
    return Promise.resolve(backlogs);
  }

  unfinished(): Promise<Unfinished[]> {
    return Promise.resolve((['pending', 'trying'] as const).map((state) => this.#unfinishedOf(state)));
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
      const { receivedAt: now } = message;
      const stored = { id, destination, message, tries: 0, dueAt: now, setAt: now, closed: [], attempts: [] };
      this.#keep({ ...stored, state: claimed ? 'trying' : 'pending', round: claimed ? 1 : 0 });
      const claim = { delivery: id, destination, message, bytes: bytesOf({ message }), round: 1, tries: 0, closed: [] };
      return claimed ? [claim] : [];
    });
  }

  /** Oldest first. */
  #pendingOf(destination: string): StoredDelivery[] {
    const ids = [...(this.#pending.get(destination) ?? [])];
    return ids.flatMap((id) => this.#deliveries.get(id) ?? []).toSorted(byAge);
  }

  #unfinishedOf(state: Unfinished['state']): Unfinished {
    const all = this.deliveries.filter((delivery) => delivery.state === state).toSorted(byAge);
    return { state, count: all.length, oldestReceivedAt: all[0]?.message.receivedAt };
  }

  #change(delivery: StoredDelivery, change: Partial<StoredDelivery>): void {
    this.#keep({ ...delivery, ...change });
  }

  #keep(delivery: StoredDelivery): void {
    this.#deliveries.set(delivery.id, delivery);
    const pending = this.#pending.get(delivery.destination) ?? new Set();
    this.#pending.set(delivery.destination, pending);
    if (delivery.state === 'pending') pending.add(delivery.id);
    else pending.delete(delivery.id);
  }
}

function ofRound(attempts: readonly Attempt[], round: number): StoredAttempt[] {
  return attempts.map((attempt) => ({ ...attempt, round }));
}

function choose(pending: readonly StoredDelivery[], request: ClaimRequest): StoredDelivery[] {
  switch (request.which) {
    case 'due':
      return pending.filter((delivery) => delivery.dueAt <= request.now).toSorted(byDueTime);
    case 'received':
      return pending.filter((delivery) => delivery.message.receivedAt <= request.upTo);
    case 'probe':
      return pending.slice(0, 100).toSorted((a, b) => a.round - b.round);
  }
}

/** The first of them, as many as so many bytes hold, and one in any case. */
function within(deliveries: readonly StoredDelivery[], bytes = Infinity): readonly StoredDelivery[] {
  let sum = 0;
  const end = deliveries.findIndex((delivery) => (sum += bytesOf(delivery)) > bytes);
  return end < 0 ? deliveries : deliveries.slice(0, Math.max(1, end));
}

function bytesOf({ message }: Pick<StoredDelivery, 'message'>): number {
  return JSON.stringify(message.event).length;
}

function byAge(a: StoredDelivery, b: StoredDelivery): number {
  return a.message.receivedAt - b.message.receivedAt || a.id - b.id;
}

function byDueTime(a: StoredDelivery, b: StoredDelivery): number {
  return a.dueAt - b.dueAt || a.id - b.id;
}
