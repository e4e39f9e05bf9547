import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type Bench, repeat, type Wish } from './bench.ts';
import { figuresOf } from './figures.ts';
import { costsOf, startSubject, turnsOf } from './subjects.ts';

/** Part of the traces that is sampled; undefined: nothing is exported. */
const RATIOS = { off: undefined, offToo: undefined, one: '0.01', all: '1' } as const;
type Variant = keyof typeof RATIOS;

/** What it costs to export traces over OTLP, in processor time. */
export const telemetry: Bench = {
  name: 'telemetry',
  about: 'processor time of an event, from its request to its webhook, with traces exported and without',
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'telemetry', () => measure(wish));
    return figuresOf(runs, [
      ['processor time at 1 % sampling, against none', '', (run) => run.one / without(run), { atMost: 1.05 }],
      ['the same with each event sampled', '', (run) => run.all / without(run)],
      ['without, against the same again', '', ({ off, offToo }) => off / offToo],
      ['processor time of an event without', 'µs', without],
    ]);
  },
};

/** Microseconds of a router's processor time for each event. */
type Costs = Readonly<Record<Variant, number>>;

function without({ off, offToo }: Costs): number {
  return (off + offToo) / 2;
}

async function measure(wish: Wish): Promise<Costs> {
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
  const all = Object.values(subjects);
  const [off = 0, offToo = 0, one = 0, every = 0] = await costsOf(all, turns);
  return { off, offToo, one, all: every };
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
