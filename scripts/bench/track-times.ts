import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { webhooksConfig } from '../../client/config/index.ts';
import { sized, type Wish } from './bench.ts';
import { percentile } from './figures.ts';
import { inFolder } from './folder.ts';
import { monotonicMs } from './monotonic.ts';
import { sourceName } from './names.ts';
import { numberedCall } from './numbered-event.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { startReceiver } from './processes/receiver-process.ts';

const [WARM_UP, EVENTS] = [20, 100] as const;
const CREATED_AT_ONCE = 20;
const POLL_MS = 20;

/** 95th percentiles, in milliseconds. */
export interface TrackTimes {
  /** Each once all of the event before is delivered. */
  readonly alone: number;
  /** Each as soon as the one before is answered, while all that came before is being delivered. */
  readonly beside: number;
}

/** From `POST /v1/track` to its 200, over a socket to a router as operators run it, for an event that goes to so many destinations. */
export function trackTimes(destinations: number, wish: Wish): Promise<TrackTimes> {
  const events = sized(EVENTS, wish);
  return inFolder(async (folder) => {
    const all = WARM_UP + 2 * events;
    using receiver = await startReceiver(all);
    await using router = await startRouter(folder);
    const writeKey = await connectTo(router, destinations, `${receiver.url}/ok/0`);
    const pool = new Pool(router.url, { connections: 1, pipelining: 1, allowH2: false });
    await using opened = new AsyncDisposableStack();
    opened.defer(() => pool.close());
    let sent = 0;
    const track = async (): Promise<number> => {
      const body = JSON.stringify({ ...numberedCall(sent), writeKey });
      sent += 1;
      const began = monotonicMs();
      const answer = await pool.request({ path: '/v1/track', method: 'POST', body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`an event was answered ${answer.statusCode}: ${text}`);
      return monotonicMs() - began;
    };
    const alone = async (): Promise<number> => {
      const took = await track();
      await allDelivered(router, sent * destinations);
      return took;
    };
    await timesOf(WARM_UP, alone);
    const times = { alone: await timesOf(events, alone), beside: await timesOf(events, track) };
    await allDelivered(router, sent * destinations);
    return { alone: percentile(times.alone, 0.95), beside: percentile(times.beside, 0.95) };
  });
}

/** One after the other. */
async function timesOf(count: number, measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) times.push(await measure());
  return times;
}

/** Makes a source with so many destinations; answers its write key. */
async function connectTo({ config }: BenchRouter, destinations: number, hook: string): Promise<string> {
  const { name, write_keys: keys } = await config.sources.create({ name: sourceName(0) });
  const settings = webhooksConfig({ hooks: [{ hook }], sharedSecret: 's3cret' });
  for (let made = 0; made < destinations; made += CREATED_AT_ONCE) {
    const some = Array.from({ length: Math.min(CREATED_AT_ONCE, destinations - made) }, (_, index) => {
      const destination = { name: `${name}/destinations/webhooks-${made + index}`, enabled: true, config: settings };
      return config.destinations.create(destination);
    });
    await Promise.all(some);
  }
  return keys[0] ?? '';
}

async function allDelivered(router: BenchRouter, deliveries: number): Promise<void> {
  for (;;) {
    const metric = await router.metrics();
    if (metric('waybill_deliveries_ended_total{state="delivered"}') >= deliveries) return;
    await wait(POLL_MS);
  }
}
