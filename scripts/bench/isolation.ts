import { type Bench, repeat } from './bench.ts';
import { type Figure, figuresOf } from './figures.ts';
import { drainRates } from './isolation/drain-rates.ts';
import { latencies } from './isolation/latencies.ts';
import { onFolder, type OnPlace, onPostgres } from './places.ts';

/** What destinations that hang cost the healthy ones beside them: as little as can be (D-25, D-26). */
export const isolation = benchIn('isolation', '', onFolder, 5);

export const isolationPostgres = benchIn('isolation-postgres', ', on PostgreSQL', onPostgres, 3);

function benchIn(name: string, where: string, onPlace: OnPlace, runs: number): Bench {
  return {
    name,
    about: `healthy destinations beside 10 % that accept requests and never answer${where}`,
    runs,
    isStandard: false,
    measure: async (wish) =>
      figures(
        await repeat(wish, `${name}, time to delivery`, () => latencies(onPlace, wish)),
        await repeat(wish, `${name}, throughput`, () => drainRates(onPlace, wish)),
      ),
  };
}

function figures(
  times: readonly Awaited<ReturnType<typeof latencies>>[],
  rates: readonly Awaited<ReturnType<typeof drainRates>>[],
): Figure[] {
  return [
    ...figuresOf(times, [
      [
        'p99 of healthy beside hanging, against all healthy',
        '',
        ({ alone, beside }) => beside.p99 / alone.p99,
        { atMost: 1.1 },
      ],
      ['p99 from 200 to the webhook, all healthy', 'ms', ({ alone }) => alone.p99],
      ['p99 from 200 to the webhook, beside hanging', 'ms', ({ beside }) => beside.p99],
      ['p50 from 200 to the webhook, all healthy', 'ms', ({ alone }) => alone.p50],
      ['p50 from 200 to the webhook, beside hanging', 'ms', ({ beside }) => beside.p50],
      ['attempts at hanging destinations', '', ({ beside }) => beside.hanging],
    ]),
    ...figuresOf(rates, [
      ['throughput beside hanging, against all healthy', '', ({ alone, beside }) => beside / alone, { atLeast: 0.9 }],
      ['throughput of a backlog, all healthy', 'events/s', ({ alone }) => alone],
      ['throughput of a backlog, healthy beside hanging', 'events/s', ({ beside }) => beside],
    ]),
  ];
}
