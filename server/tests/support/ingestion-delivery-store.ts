import type { Acceptance } from '../../model/delivery.ts';
import type { Event } from '../../model/message.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { openMemory } from './memory-storage.ts';

/** A storage in memory that tells what it accepted, and can be held back or broken. */
export interface IngestionStorage extends Verbs {
  /** One entry for each call of `accept` that stored. */
  readonly calls: (readonly Acceptance[])[];
  readonly stored: Acceptance[];
  readonly events: Event[];
  isUnavailable: boolean;
  /** From now on `accept` waits. `asked` resolves with its next call; `release` lets all go on. */
  hold(): { readonly asked: Promise<void>; release(): void };
}

export function openIngestionStorage(): IngestionStorage {
  const own = openMemory();
  void own.join({ now: 0 });
  let gate: Promise<void> = Promise.resolve();
  let onAccept: (() => void) | undefined;
  const storage: IngestionStorage = {
    ...own,
    calls: [],
    stored: [],
    isUnavailable: false,
    get events() {
      return storage.stored.map(({ message }) => message.event);
    },
    hold() {
      const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      [gate, onAccept] = [held.promise, asked.resolve];
      return { asked: asked.promise, release: held.resolve };
    },
    async accept(request) {
      onAccept?.();
      await gate;
      if (storage.isUnavailable) throw new StoreUnavailable('the disk is full');
      const answer = await own.accept(request);
      storage.calls.push(request.acceptances);
      storage.stored.push(...request.acceptances.filter((_, index) => answer[index] !== 'duplicate'));
      return answer;
    },
  };
  return storage;
}
