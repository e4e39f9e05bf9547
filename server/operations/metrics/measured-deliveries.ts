import type { RoundRecord } from '../../model/delivery.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { Instruments } from './registry.ts';

/** Deliveries with what passes through them counted: everything that happens to an event is stored there. */
export function measured(own: DeliveryStorage, instruments: Instruments): DeliveryStorage {
  return {
    ...own,
    accept: async (acceptances) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'accept' });
      const answer = await own.accept(acceptances);
      stop();
      const duplicates = answer.filter((entry) => entry === 'duplicate').length;
      instruments.duplicates.inc(duplicates);
      instruments.accepted.inc(answer.length - duplicates);
      return answer;
    },
    record: async (rounds) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'record' });
      await own.record(rounds);
      stop();
      for (const round of rounds) count(round, instruments);
    },
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
