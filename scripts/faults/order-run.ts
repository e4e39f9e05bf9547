import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../server/tests/support/postgres-server.ts';
import type { Random } from '../../server/ports/random.ts';
import { auditOrder } from '../../testbed/audit/order-audit.ts';
import { createReceiver } from '../../testbed/index.ts';
import { connect } from '../router/connect.ts';
import { arrivalsAt, DRAIN_MS } from './arrivals.ts';
import { urlOfPair } from './database-pair.ts';
import { Fleet } from './fleet.ts';
import { startOrderLoad } from './order-load.ts';

export interface OrderRunOptions {
  /** How often a router is killed, and started again. */
  readonly kills: number;
  readonly random: Random;
  readonly routers?: number;
  readonly users?: number;
  /** Default `user`; `none` shows that a run finds what is out of order. */
  readonly ordering?: 'user' | 'none';
  readonly onKill?: (done: number) => void;
}

export interface OrderReport {
  readonly accepted: number;
  readonly lost: readonly string[];
  /** In words: what came too early, or while the one before it was open. */
  readonly outOfOrder: readonly string[];
  /** Events that came more than once: what was under way at a kill. */
  readonly repeated: number;
  /** From the answer to a sender to the success that took longest. */
  readonly longestMs: number;
  /** Of the routers, the end of their logs; for whoever looks for the cause. */
  readonly logs: string;
}

const TOKEN = 'order-run-token-0123456789';
/** Some are refused, so that those behind them wait. */
const SCRIPT = '503+1%+delay:0ms..5ms x*,delay:0ms..20ms x*';
const KEPT = 1_000_000;
/** Of the time between kills; the lease of a router is ten seconds. */
const MOST_BETWEEN_MS = 5_000;
const MOST_GONE_MS = 12_000;
const LOOK_MS = 250;

/** Several routers on PostgreSQL with a destination that keeps the order of each user: they are killed one after the other. */
export async function orderRun(options: OrderRunOptions): Promise<OrderReport> {
  const { kills, random, routers = 3, users = 12, ordering = 'user', onKill } = options;
  await using opened = new AsyncDisposableStack();
  const receiver = await createReceiver({ script: SCRIPT, keep: KEPT });
  opened.defer(() => receiver.close());
  const arrivals = arrivalsAt(receiver);
  const database = await startPostgres({ tcp: true });
  opened.defer(() => database.stop());
  const fleet = opened.use(
    await Fleet.start({ token: TOKEN, routers, databasePorts: [database.port], storage: urlOfPair }),
  );
  const kept = ordering === 'user' ? { ordering } : {};
  const url = fleet.urls[0] ?? '';
  const writeKey = await connect({ url, token: TOKEN, slug: 'order', hook: receiver.url, ...kept });
  const load = startOrderLoad({ writeKey, routers: () => fleet.urls }, users);
  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(500 + random() * MOST_BETWEEN_MS);
    const index = Math.floor(random() * fleet.size);
    await fleet.kill(index);
    await wait(random() * MOST_GONE_MS);
    await fleet.start(index);
    onKill?.(kill);
  }
  await load.stop();
  const { accepted } = load;
  for (const end = Date.now() + DRAIN_MS; Date.now() < end && !isAll(accepted, arrivals);) await wait(LOOK_MS);
  return {
    accepted: accepted.size,
    lost: [...accepted.keys()].filter((id) => !arrivals.has(id)),
    outOfOrder: auditOrder(receiver.received, { ids: [...accepted.keys()] }).map(({ words }) => words),
    repeated: [...arrivals.values()].filter(({ length }) => length > 1).length,
    longestMs: Math.max(...[...accepted].map(([id, at]) => (arrivals.get(id)?.[0] ?? at) - at)),
    logs: fleet.logs(20),
  };
}

function isAll(accepted: ReadonlyMap<string, number>, arrivals: ReadonlyMap<string, unknown>): boolean {
  return accepted.keys().every((id) => arrivals.has(id));
}
