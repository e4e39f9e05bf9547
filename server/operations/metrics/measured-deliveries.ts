import type { RoundRecord } from '../../model/delivery.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { Instruments } from './registry.ts';

/** Deliveries with what passes through them counted: everything that happens to an event is stored there. */
export function measured(own: DeliveryStorage, instruments: Instruments): DeliveryStorage {
  return {
    ...own,
    accept: async (request) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'accept' });
      const answer = await own.accept(request);
      stop();
      const duplicates = answer.filter((entry) => entry === 'duplicate').length;
      instruments.duplicates.inc(duplicates);
      instruments.accepted.inc(answer.length - duplicates);
      return answer;
    },
    record: async (rounds) => {
      const stop = instruments.commitSeconds.startTimer({ operation: 'record' });
      const recorded = await own.record(rounds);
      stop();
      const uncounted = new Set(recorded.refused);
      for (const [index, round] of rounds.entries()) count(round, !uncounted.has(index), instruments);
      return recorded;
    },
  };
}

function count({ attempts, verdict, ageMs }: RoundRecord, isFinal: boolean, instruments: Instruments): void {
  for (const { outcome, durationMs } of attempts) {
    instruments.attempts.inc({ outcome });
    instruments.attemptSeconds.observe(durationMs / 1000);
  }
  // Siblings of a success are recorded after it, with the same verdict, which counts once.
  if (verdict.state === 'pending' || !isFinal) return;
  instruments.ended.inc({ state: verdict.state });
  if (verdict.state === 'delivered') instruments.deliverySeconds.observe(ageMs / 1000);
}
