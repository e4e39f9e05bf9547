import type { AcceptedEvents } from '../events/accepted-events.ts';
import { type DroppedEvents, kindOfLoss } from './dropped-events.ts';
import type { Traffic } from './traffic.ts';
import type { Undecided } from './undecided.ts';
import type { UnknownKeys } from './unknown-keys.ts';
import type { Violations } from './violations.ts';
import type { Instruments } from '../operations/metrics/registry.ts';

/** What ingestion accepted, and what it did not let through as it came, is told to these. */
export interface LossSinks {
  readonly accepted: Pick<AcceptedEvents, 'add'>;
  readonly dropped: Pick<DroppedEvents, 'add'>;
  readonly violations: Pick<Violations, 'add'>;
  readonly unknownKeys: Pick<UnknownKeys, 'add'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly traffic: Pick<Traffic, 'add'>;
}

/** The same, with what is added to them counted over all sources. */
export function measuredLosses(sinks: LossSinks, instruments: Instruments): LossSinks {
  const { dropped, violations, unknownKeys, undecided } = sinks;
  return {
    ...sinks,
    dropped: {
      add(source, counts, last) {
        for (const [reason, count] of counts) {
          const counter = kindOfLoss(reason) === 'adjusted' ? instruments.adjusted : instruments.dropped;
          counter.inc({ reason }, count);
        }
        dropped.add(source, counts, last);
      },
    },
    violations: {
      add(source, counts, last) {
        for (const { kind, count } of counts) instruments.violations.inc({ kind }, count);
        violations.add(source, counts, last);
      },
    },
    unknownKeys: {
      add(key, events) {
        instruments.unknownKeys.inc(events);
        unknownKeys.add(key, events);
      },
    },
    undecided: {
      add(kind, name, receivedAt) {
        instruments.undecided.inc({ definition: kind });
        undecided.add(kind, name, receivedAt);
      },
    },
  };
}
