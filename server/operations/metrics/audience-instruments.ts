import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What operators watch of audiences and computed traits. A kind is audience or computed_trait. */
export interface AudienceInstruments {
  readonly runs: Counter<'kind' | 'state'>;
  readonly runSeconds: Histogram<'kind'>;
  readonly members: Gauge<'kind'>;
  readonly told: Counter<'kind'>;
  readonly heldBack: Counter<'kind'>;
  readonly notTold: Counter<'kind' | 'state'>;
  readonly refusedIds: Counter;
}

export function createAudienceInstruments(registers: Registry[]): AudienceInstruments {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  return {
    runs: counter(
      'waybill_audience_runs_total',
      'Syncs of audiences and computed traits that ended, by state: done, cancelled or failed.',
      'kind',
      'state',
    ),
    runSeconds: new Histogram({
      name: 'waybill_audience_run_seconds',
      help: 'Duration of a sync that was done: computing, and storing every call to its destinations.',
      labelNames: ['kind'],
      buckets: [0.1, 0.5, 1, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400],
      registers,
    }),
    members: new Gauge({
      name: 'waybill_audience_members',
      help: 'Users that the last sync of each audience found, added up; of computed traits, users with a value.',
      labelNames: ['kind'],
      registers,
    }),
    told: counter('waybill_audience_told_total', 'Calls to destinations that syncs stored, one for each user.', 'kind'),
    heldBack: counter(
      'waybill_audience_held_total',
      'Users whom a sync left to the next one, as an earlier call to them was being sent.',
      'kind',
    ),
    notTold: counter(
      'waybill_audience_failed_total',
      'Calls of syncs that destinations did not get, by state: failed, or expired and sent again by the next sync.',
      'kind',
      'state',
    ),
    refusedIds: createRefusedIds(registers),
  };
}

function createRefusedIds(registers: Registry[]): Counter {
  const help = 'Ids in events that profiles refused: of no person (null, 0, …), or beyond the limits.';
  return new Counter({ name: 'waybill_profile_ids_refused_total', help, registers });
}
