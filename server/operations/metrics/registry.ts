import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What operators watch, in the words and units of Prometheus (seconds, totals). No label holds a name or a secret. */
export interface Instruments {
  readonly registry: Registry;
  readonly accepted: Counter;
  readonly duplicates: Counter;
  readonly dropped: Counter<'reason'>;
  readonly adjusted: Counter<'reason'>;
  readonly unknownKeys: Counter;
  readonly violations: Counter<'kind'>;
  readonly undecided: Counter<'definition'>;
  readonly ended: Counter<'state'>;
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram;
  readonly deliverySeconds: Histogram;
  readonly commitSeconds: Histogram<'operation'>;
  readonly unfinished: Gauge<'state'>;
  readonly oldestSeconds: Gauge<'state'>;
  readonly parked: Gauge;
  readonly inFlight: Gauge;
  readonly logLinesDropped: Counter;
}

export function createInstruments(): Instruments {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  return {
    registry,
    ...createCounters(registers),
    ...createHistograms(registers),
    ...createBacklogGauges(registers),
    parked: gauge(
      'waybill_destinations_parked',
      'Parked destinations: held back and probed after failed rounds (circuit open or half-open).',
    ),
    inFlight: gauge('waybill_deliveries_in_flight', 'Deliveries being tried now.'),
  };
}

type Counters =
  | 'accepted'
  | 'duplicates'
  | 'dropped'
  | 'adjusted'
  | 'unknownKeys'
  | 'violations'
  | 'undecided'
  | 'ended'
  | 'attempts'
  | 'logLinesDropped';

function createCounters(registers: Registry[]): Pick<Instruments, Counters> {
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  return {
    accepted: counter('waybill_events_accepted_total', 'Events that were stored and answered as accepted.'),
    duplicates: counter('waybill_events_duplicate_total', 'Events dropped because their messageId was known.'),
    dropped: counter(
      'waybill_events_dropped_total',
      'Events that ingestion did not keep, by reason; a batch as a whole counts once.',
      'reason',
    ),
    adjusted: counter('waybill_events_adjusted_total', 'Events that were kept with a change, by reason.', 'reason'),
    unknownKeys: counter(
      'waybill_events_unknown_key_total',
      'Events of unknown write keys that were answered as accepted, and not kept.',
    ),
    violations: counter(
      'waybill_violations_total',
      'What in events was not as their tracking plan says, by kind.',
      'kind',
    ),
    undecided: counter(
      'waybill_evaluations_undecided_total',
      'Evaluations for one event that used up their budget, by definition: filter or tracking_plan.',
      'definition',
    ),
    ended: counter(
      'waybill_deliveries_ended_total',
      'Deliveries that ended, by how: delivered, failed, expired or cancelled.',
      'state',
    ),
    attempts: counter('waybill_attempts_total', 'POSTs to webhooks, by outcome.', 'outcome'),
    logLinesDropped: counter('waybill_log_lines_dropped_total', 'Lines of the log that nobody took in time.'),
  };
}

function createBacklogGauges(registers: Registry[]): Pick<Instruments, 'unfinished' | 'oldestSeconds'> {
  const labelNames = ['state'] as const;
  return {
    unfinished: new Gauge({
      name: 'waybill_deliveries_unfinished',
      help: 'Deliveries that have not ended: pending ones wait on disk, trying ones are in memory or being sent.',
      labelNames,
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'waybill_deliveries_unfinished_oldest_seconds',
      help: 'How long ago the oldest of them was accepted, or last replayed; 0 when there is none.',
      labelNames,
      registers,
    }),
  };
}

function createHistograms(
  registers: Registry[],
): Pick<Instruments, 'attemptSeconds' | 'deliverySeconds' | 'commitSeconds'> {
  return {
    attemptSeconds: new Histogram({
      name: 'waybill_attempt_seconds',
      help: 'How long one POST took.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'waybill_delivery_seconds',
      help: 'From acceptance to the answer that ended a delivery as delivered.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3600, 14_400],
      registers,
    }),
    commitSeconds: new Histogram({
      name: 'waybill_commit_seconds',
      help: 'How long a request to the delivery store waited for the disk.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
  };
}
