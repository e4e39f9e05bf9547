import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Acceptance, Claim } from '../../model/delivery.ts';
import type { Backlog, Claimed, DeliveryStorage, Unfinished } from '../../storage/delivery-storage.ts';
import type { Event } from '../../model/message.ts';

/** Keeps what is accepted, knows messageIds again within a source (D-43), and can be held back or broken. */
export class MemoryDeliveryStore implements DeliveryStorage {
  /** One entry for each call of `accept` that stored. */
  readonly calls: (readonly Acceptance[])[] = [];
  readonly stored: Acceptance[] = [];
  isUnavailable = false;
  #ids = new Set<string>();
  #deliveries = 0;
  #gate: Promise<void> = Promise.resolve();
  #onAccept: () => void = () => {};

  get events(): Event[] {
    return this.stored.map(({ message }) => message.event);
  }

  /** From now on `accept` waits. `asked` resolves with its next call; `release` lets all go on. */
  hold(): { readonly asked: Promise<void>; release(): void } {
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    this.#gate = gate.promise;
    this.#onAccept = asked.resolve;
    return { asked: asked.promise, release: gate.resolve };
  }

  async accept(acceptances: readonly Acceptance[]): Promise<(readonly Claim[] | 'duplicate')[]> {
    this.#onAccept();
    await this.#gate;
    if (this.isUnavailable) throw new StoreUnavailable('the disk is full');
    this.calls.push(acceptances);
    return acceptances.map((acceptance) => this.#store(acceptance));
  }

  #store(acceptance: Acceptance): readonly Claim[] | 'duplicate' {
    const { message, routes } = acceptance;
    const id = JSON.stringify([message.source, message.event.messageId]);
    if (this.#ids.has(id)) return 'duplicate';
    this.#ids.add(id);
    this.stored.push(acceptance);
    return routes
      .map(({ destination, claimed }) => ({ claimed, delivery: ++this.#deliveries, destination }))
      .filter(({ claimed }) => claimed)
      .map(({ delivery, destination }) => ({ delivery, destination, message, round: 1, tries: 0, closed: [] }));
  }

  claim(): Promise<Claimed> {
    return Promise.resolve({ claims: [], nextDueAt: undefined, oldestReceivedAt: undefined });
  }

  record(): Promise<void> {
    return Promise.resolve();
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  recover(): Promise<number> {
    return Promise.resolve(0);
  }

  backlog(): Promise<readonly Backlog[]> {
    return Promise.resolve([]);
  }

  unfinished(): Promise<readonly Unfinished[]> {
    return Promise.resolve([]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
