import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Bench, repeat, type Wish } from './bench.ts';
import { figuresOf, median } from './figures.ts';
import { startSubject, turnCostsOf, turnsOf } from './subjects.ts';

/** Part of the traces that is sampled; undefined: nothing is exported. */
const RATIOS = { off: undefined, offToo: undefined, one: '0.01', all: '1' } as const;
type Variant = keyof typeof RATIOS;

/**
 * What it costs to export traces over OTLP, in processor time. Routers differ by some hundredths that were started alike, for as
 * long as they live: so there are many runs with new ones, and what is compared within one is compared turn by turn.
 */
export const telemetry: Bench = {
  name: 'telemetry',
  about: 'processor time of an event, from its request to its webhook, with traces exported and without',
  runs: 9,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'telemetry', () => measure(wish));
    return figuresOf(runs, [
      ['processor time at 1 % sampling, against none', '', (run) => against(run, ({ one }) => one), { atMost: 1.05 }],
      ['the same with each event sampled', '', (run) => against(run, ({ all }) => all)],
      ['without, against the same again', '', (run) => median(run.map(({ off, offToo }) => off / offToo))],
      ['processor time of an event without', 'µs', (run) => median(run.map(without))],
    ]);
  },
};

/** Microseconds of a router's processor time for each event, in one turn. */
type Costs = Readonly<Record<Variant, number>>;

function against(run: readonly Costs[], of: (costs: Costs) => number): number {
  return median(run.map((costs) => of(costs) / without(costs)));
}

function without({ off, offToo }: Costs): number {
  return (off + offToo) / 2;
}

async function measure(wish: Wish): Promise<readonly Costs[]> {
  const turns = turnsOf(wish);
  await using opened = new AsyncDisposableStack();
  const collector = opened.use(await startCollector());
  const begin = (ratio: string | undefined) =>
    startSubject(opened, { environment: exporting(collector.url, ratio), most: turns.warmUp + turns.events });
  const subjects = {
    off: await begin(RATIOS.off),
    offToo: await begin(RATIOS.offToo),
    one: await begin(RATIOS.one),
    all: await begin(RATIOS.all),
  };
  const costs = await turnCostsOf(Object.values(subjects), turns);
  return costs.map(([off = 0, offToo = 0, one = 0, all = 0]) => ({ off, offToo, one, all }));
}

function exporting(collector: string, ratio: string | undefined): NodeJS.ProcessEnv {
  if (ratio === undefined) return {};
  const sampling = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio };
  return { ...sampling, OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_BSP_MAX_QUEUE_SIZE: '100000' };
}

/** Takes what it gets. */
async function startCollector(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector does not listen on a port');
  return address.port;
}
