import { type DroppedEvents, kindOfLoss } from './dropped-events.ts';
import type { Undecided } from './undecided.ts';
import type { UnknownKeys } from './unknown-keys.ts';
import type { Violations } from './violations.ts';
import type { Instruments } from '../operations/metrics/registry.ts';

/** What ingestion did not let through as it came. */
export interface Losses {
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly unknownKeys: UnknownKeys;
  readonly undecided: Undecided;
}

/** The same, with what is added to them counted over all sources. */
export function measuredLosses(losses: Losses, instruments: Instruments): Losses {
  const { dropped, violations, unknownKeys, undecided } = losses;
  return {
    dropped: {
      ...dropped,
      add(source, counts, last) {
        for (const [reason, count] of counts) {
          const counter = kindOfLoss(reason) === 'adjusted' ? instruments.adjusted : instruments.dropped;
          counter.inc({ reason }, count);
        }
        dropped.add(source, counts, last);
      },
    },
    violations: {
      ...violations,
      add(source, counts, last) {
        for (const { kind, count } of counts) instruments.violations.inc({ kind }, count);
        violations.add(source, counts, last);
      },
    },
    unknownKeys: {
      ...unknownKeys,
      add(key, events) {
        instruments.unknownKeys.inc(events);
        unknownKeys.add(key, events);
      },
    },
    undecided: {
      ...undecided,
      add(kind, name, receivedAt) {
        instruments.undecided.inc({ definition: kind });
        undecided.add(kind, name, receivedAt);
      },
    },
  };
}
