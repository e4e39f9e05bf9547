import { setTimeout as wait } from 'node:timers/promises';
import type { ConfigClient } from '../../client/config/index.ts';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { figuresOf, percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { destinationName, sourceName } from './names.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

const [CONSOLES, DESTINATIONS, PER_SECOND, BATCH] = [10, 10, 1_000, 10];
/** With consoles and without, in turn; the first of both is not counted. */
const [TURNS, TURN_S] = [10, 6];
/** A page at rest asks no more often. */
const EVERY_MS = 6_000;

/** What many who look on do to those who send. */
export const consoles: Bench = {
  name: 'consoles',
  about: `${PER_SECOND} events a second, with ${CONSOLES} open consoles and without, in turn`,
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'consoles', () => measure(wish));
    return figuresOf(runs, [
      [
        'from sending to the webhook, p95, with ten consoles against none',
        '',
        ({ webhook }) => ratio(webhook),
        { atMost: 1.1 },
      ],
      [
        'from sending to the answer 200, p95, with ten consoles against none',
        '',
        ({ answer }) => ratio(answer),
        { atMost: 1.1 },
      ],
      ['from sending to the webhook, p95, without', 'ms', ({ webhook }) => percentile(webhook.without, 0.95)],
      ['from sending to the webhook, p95, with ten', 'ms', ({ webhook }) => percentile(webhook.with, 0.95)],
      ['processor time of an event, with ten consoles against none', '', ({ cost }) => cost.with / cost.without],
      ['events that the consoles were told', '', ({ told }) => told],
      ['requests that the consoles made', '', ({ asked }) => asked],
    ]);
  },
};

/** Milliseconds of each event. */
interface Times {
  readonly with: readonly number[];
  readonly without: readonly number[];
}

interface Run {
  readonly webhook: Times;
  readonly answer: Times;
  /** Processor time of the router, over all counted turns. */
  readonly cost: Record<keyof Times, number>;
  readonly told: number;
  readonly asked: number;
}

function ratio({ with: watched, without }: Times): number {
  return percentile(watched, 0.95) / percentile(without, 0.95);
}

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const events = sized((PER_SECOND * TURN_S) / BATCH, wish) * BATCH;
    using receiver = await startReceiver(events * TURNS);
    await using router = await startRouter(folder);
    const hooks = Array.from({ length: DESTINATIONS }, (_, index) => `${receiver.url}/ok/${index}`);
    const writeKeys = await router.connect(hooks);
    using load = await startLoad(router.url);
    const answer: Record<keyof Times, number[]> = { with: [], without: [] };
    const cost = { with: 0, without: 0 };
    const sent: number[] = [];
    const seen = { told: 0, asked: 0 };
    for (let turn = 0; turn < TURNS; turn += 1) {
      await using watching = turn % 2 === 0 ? undefined : openConsoles(router, seen);
      const [kind, before] = [watching === undefined ? 'without' : 'with', await router.processorMs()] as const;
      const sending = await load.send({
        writeKeys,
        batch: BATCH,
        first: turn * events,
        events,
        pace: { perSecond: PER_SECOND },
      });
      await receiver.waitFor((turn + 1) * events);
      for (const at of sending.sentAt) sent.push(at);
      if (turn < 2) continue;
      cost[kind] += (await router.processorMs()) - before;
      for (const [index, at] of sending.acceptedAt.entries()) answer[kind].push(at - (sending.sentAt[index] ?? NaN));
    }
    const { deliveredAt } = await receiver.report();
    const delivered = sent.map((at, index) => (deliveredAt[index] ?? NaN) - at);
    const ofTurns = (odd: number): number[] =>
      delivered.filter((_, index) => index >= 2 * events && Math.floor(index / events) % 2 === odd);
    return { webhook: { with: ofTurns(1), without: ofTurns(0) }, answer, cost, ...seen };
  });
}

/** Each has the live events of a source open, and asks for what the screens of people show. Closed: all of them. */
function openConsoles({ config }: BenchRouter, seen: { told: number; asked: number }): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const all = Array.from({ length: CONSOLES }, (_, index) => [
    watchSource(config, sourceName(index % DESTINATIONS), signal, (count) => (seen.told += count)),
    askNowAndThen(config, index, signal, () => (seen.asked += 1)),
  ]).flat();
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.all(all);
    },
  };
}

async function watchSource(
  config: ConfigClient,
  source: string,
  signal: AbortSignal,
  told: (count: number) => void,
): Promise<void> {
  try {
    for await (const { accepted_events: events } of config.acceptedEvents.watch(source, { signal }))
      told(events.length);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Pages are opened at different times. */
async function askNowAndThen(
  config: ConfigClient,
  console: number,
  signal: AbortSignal,
  asked: () => void,
): Promise<void> {
  const destination = destinationName(console % DESTINATIONS);
  const screens = [
    () => config.overviews.get('workspaces/main', { signal }),
    () => config.deliveries.page(destination, { pageSize: 50, signal }),
    () => config.metrics.summary(destination, { signal }),
    () => config.queues.get(destination, { signal }),
    () => config.metrics.list(destination, { signal }),
  ];
  try {
    await wait((EVERY_MS * console) / CONSOLES, undefined, { signal });
    for (let turn = console; ; turn += 1) {
      await screens[turn % screens.length]?.();
      asked();
      await wait(EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
