import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type AudienceInstruments, createAudienceInstruments } from './audience-instruments.ts';

/** What operators watch, in the words and units of Prometheus (seconds, totals). No label holds a name or a secret. */
export interface Instruments extends AudienceInstruments {
  readonly registry: Registry;
  readonly accepted: Counter;
  readonly duplicates: Counter;
  readonly dropped: Counter<'reason'>;
  readonly adjusted: Counter<'reason'>;
  readonly unknownKeys: Counter;
  readonly violations: Counter<'kind'>;
  readonly undecided: Counter<'definition'>;
  readonly refusedByQuota: Counter<'limit'>;
  readonly notices: Counter<'notice'>;
  readonly ended: Counter<'state'>;
  readonly attempts: Counter<'outcome'>;
  readonly attemptSeconds: Histogram;
  readonly deliverySeconds: Histogram;
  readonly commitSeconds: Histogram<'operation'>;
  readonly unfinished: Gauge<'state'>;
  readonly oldestSeconds: Gauge<'state'>;
  readonly parked: Gauge;
  readonly held: Gauge;
  readonly inFlight: Gauge;
  readonly ready: Gauge;
  readonly routerInfo: Gauge<'name' | 'version'>;
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
    ...createAudienceInstruments(registers),
    held: gauge('waybill_destinations_held', 'Destinations with deliveries that wait for their own limits.'),
    parked: gauge('waybill_destinations_parked', 'Destinations with an open or half-open circuit (parked).'),
    inFlight: gauge('waybill_deliveries_in_flight', 'Deliveries in flight.'),
    ready: gauge('waybill_ready', 'Whether this router can store what it is sent, as /readyz says: 1 or 0.'),
    routerInfo: new Gauge({
      name: 'waybill_router_info',
      help: 'This router: its name, as in /v1beta/nodes, and its version. Always 1.',
      labelNames: ['name', 'version'],
      registers,
    }),
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
  | 'refusedByQuota'
  | 'notices'
  | 'ended'
  | 'attempts'
  | 'logLinesDropped';

function createCounters(registers: Registry[]): Pick<Instruments, Counters> {
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  return {
    accepted: counter('waybill_events_accepted_total', 'Events accepted.'),
    duplicates: counter('waybill_events_duplicate_total', 'Duplicate events, by messageId.'),
    dropped: counter(
      'waybill_events_dropped_total',
      'Events dropped, by reason; a rejected batch counts once.',
      'reason',
    ),
    adjusted: counter('waybill_events_adjusted_total', 'Events adjusted, by reason.', 'reason'),
    unknownKeys: counter(
      'waybill_events_unknown_key_total',
      'Events with unknown write keys, answered 200 and dropped.',
    ),
    violations: counter('waybill_violations_total', 'Tracking-plan violations, by kind.', 'kind'),
    undecided: counter(
      'waybill_evaluations_undecided_total',
      'Evaluations that exceeded their budget, by definition: filter, shape, tracking_plan, audience or computed_trait.',
      'definition',
    ),
    refusedByQuota: counter(
      'waybill_quota_refused_requests_total',
      'Ingestion requests refused by the quota of their workspace, by limit: second or day.',
      'limit',
    ),
    notices: counter('waybill_notices_total', 'Notices accepted for delivery, by name.', 'notice'),
    ended: counter(
      'waybill_deliveries_ended_total',
      'Deliveries ended, by state: delivered, failed, expired or cancelled.',
      'state',
    ),
    attempts: counter('waybill_attempts_total', 'POSTs to webhooks, by outcome.', 'outcome'),
    logLinesDropped: counter('waybill_log_lines_dropped_total', 'Log lines dropped.'),
  };
}

function createBacklogGauges(registers: Registry[]): Pick<Instruments, 'unfinished' | 'oldestSeconds'> {
  const labelNames = ['state'] as const;
  return {
    unfinished: new Gauge({
      name: 'waybill_deliveries_unfinished',
      help: 'Unfinished deliveries, by state: pending (on disk) or trying (in memory or in flight).',
      labelNames,
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'waybill_deliveries_unfinished_oldest_seconds',
      help: 'Age of the oldest unfinished delivery since acceptance or replay; 0 without one.',
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
      help: 'Duration of a POST.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'waybill_delivery_seconds',
      help: 'Time from acceptance to success.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3600, 14_400],
      registers,
    }),
    commitSeconds: new Histogram({
      name: 'waybill_commit_seconds',
      help: 'Time that a storage request waited for the disk.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
  };
}
