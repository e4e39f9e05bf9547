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
      countAttempts(rounds, instruments);
      // Siblings of a success are recorded after it, with the same verdict, which counts once.
      countEnds(
        rounds.filter((_, index) => !uncounted.has(index)),
        instruments,
      );
      return recorded;
    },
  };
}

function countAttempts(rounds: readonly RoundRecord[], instruments: Instruments): void {
  const attempts = rounds.flatMap((round) => round.attempts);
  for (const { durationMs } of attempts) instruments.attemptSeconds.observe(durationMs / 1000);
  for (const [outcome, { length }] of Map.groupBy(attempts, (one) => one.outcome))
    instruments.attempts.inc({ outcome }, length);
}

function countEnds(rounds: readonly RoundRecord[], instruments: Instruments): void {
  for (const [state, ended] of Map.groupBy(rounds, ({ verdict }) => verdict.state)) {
    if (state === 'pending') continue;
    instruments.ended.inc({ state }, ended.length);
    if (state === 'delivered') for (const { ageMs } of ended) instruments.deliverySeconds.observe(ageMs / 1000);
  }
}
