import { kindOfLoss } from './dropped-events.ts';
import type { LossSinks } from './loss-reader.ts';
import type { Instruments } from '../operations/metrics/registry.ts';

/** The same sinks, with what is added to them counted over all sources. */
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
      add(kind, name, time, events = 1) {
        instruments.undecided.inc({ definition: kind }, events);
        undecided.add(kind, name, time, events);
      },
    },
  };
}
