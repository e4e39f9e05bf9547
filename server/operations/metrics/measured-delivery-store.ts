import type { DeliveryStore, RoundRecord } from '../../storage/delivery-store.ts';
import type { Instruments } from './registry.ts';

/** The delivery store, with what passes through it counted: everything that happens to an event is stored there. */
export function measured(store: DeliveryStore, instruments: Instruments): DeliveryStore {
  return {
    accept: async (acceptances) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'accept' });
      const answer = await store.accept(acceptances);
      stop();
      const duplicates = answer.filter((entry) => entry === 'duplicate').length;
      instruments.duplicates.inc(duplicates);
      instruments.accepted.inc(answer.length - duplicates);
      return answer;
    },
    record: async (rounds) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'record' });
      await store.record(rounds);
      stop();
      for (const round of rounds) count(round, instruments);
    },
    claim: (request) => store.claim(request),
    release: (deliveries) => store.release(deliveries),
    recover: (now) => store.recover(now),
    backlog: () => store.backlog(),
    unfinished: () => store.unfinished(),
    close: () => store.close(),
  };
}

function count({ attempts, verdict, ageMs }: RoundRecord, instruments: Instruments): void {
  for (const { outcome, durationMs } of attempts) {
    instruments.attempts.inc({ outcome });
    instruments.attemptSeconds.observe(durationMs / 1000);
  }
  if (verdict.state === 'pending') return;
  const hasSuccess = attempts.some(({ outcome }) => outcome === 'delivered');
  // Siblings of a success are recorded after it, with the same verdict.
  if (verdict.state === 'delivered' && !hasSuccess) return;
  instruments.ended.inc({ state: verdict.state });
  if (hasSuccess) instruments.deliverySeconds.observe(ageMs / 1000);
}
