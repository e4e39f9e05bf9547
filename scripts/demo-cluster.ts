/**
 * `npm run demo:cluster`: three routers behind a load balancer, on a PostgreSQL with a synchronous standby; a real SDK sends,
 * two receivers listen. One router is killed, one is paused for 30 s, and the primary of the database dies. Exits 0 when
 * every acknowledged event arrived, and what came twice was in flight at one of these moments.
 */
import { setTimeout as wait } from 'node:timers/promises';
import pc from 'picocolors';
import { toldToEnd } from '../testbed/command-line/terminal.ts';
import { createReceiver } from '../testbed/index.ts';
import { startApplication } from './demo/application.ts';
import { connect } from './router/connect.ts';
import { tell, tellTable } from './demo/printout.ts';
import { arrivalsAt, DRAIN_MS, drained } from './faults/arrivals.ts';
import { Balancer } from './faults/balancer.ts';
import { DatabasePair, urlOfPair } from './faults/database-pair.ts';
import { Fleet } from './faults/fleet.ts';
import { type Trouble, type Verdict, verdictOf } from './faults/verdict.ts';

const TOKEN = 'cluster-demo-token-0123456789';
/** Three times the lease of a router. */
const PAUSE_MS = 30_000;
const LEASE_MS = 12_000;
const BETWEEN_MS = 4_000;
const TWICE =
  'What came twice was being sent when its router or the database failed: nobody knew whether it had arrived.';

const parts = new AsyncDisposableStack();
// Whoever reads may hang up, and whoever waits may have seen enough: no process outlives the demo.
try {
  const isWhole = await Promise.race([demo(), toldToEnd().then(() => false)]);
  process.exitCode = isWhole ? 0 : 1;
} finally {
  await parts.disposeAsync();
}
// What is left of a demo that was ended would go on talking to routers that are gone.
process.exit();

async function demo(): Promise<boolean> {
  const database = parts.use(await DatabasePair.start());
  tell('PostgreSQL runs: a primary, and a standby that has each commit before it is answered');
  const given = { token: TOKEN, routers: 3, databasePorts: database.ports, storage: urlOfPair };
  const fleet = parts.use(await Fleet.start(given));
  const balancer = parts.use(await Balancer.before(() => fleet.urls));
  tell(`three routers run on it, behind a load balancer at ${pc.cyan(balancer.url)}`);
  const shop = parts.use(await createReceiver({ keep: 1 }));
  const app = parts.use(await createReceiver({ keep: 1, script: '10%+503,200' }));
  const arrivals = arrivalsAt(shop, app);
  const [url = ''] = fleet.urls;
  const router = { url, token: TOKEN };
  const keys = [
    await connect({ ...router, slug: 'shop', hook: shop.url }),
    await connect({ ...router, slug: 'app', hook: app.url }),
  ];
  const applications = keys.map((writeKey) => startApplication(balancer.url, writeKey));
  tell('@segment/analytics-node sends for two sources; the receiver of “app” refuses one request in ten');
  const troubles = await suffer(fleet, database);
  const acknowledged = new Set((await Promise.all(applications.map((one) => one.stop()))).flatMap((ids) => [...ids]));
  tell('the applications have stopped; what waits is delivered');
  const waiting = await drained(database, DRAIN_MS, () => acknowledged.isSubsetOf(arrivals));
  return conclude({ ...verdictOf(acknowledged, arrivals, troubles), arrived: arrivals.size, waiting });
}

/** All that goes wrong; answers when it did. */
async function suffer(fleet: Fleet, database: DatabasePair): Promise<readonly Trouble[]> {
  return [
    await trouble('a router is killed', async () => {
      tell(pc.red('router 1 is killed (SIGKILL), and not started again before its lease is over'));
      await fleet.kill(0);
      await wait(LEASE_MS);
      await fleet.start(0);
      tell('router 1 is started again');
    }),
    await trouble('a router is paused', async () => {
      tell(pc.red(`router 2 is paused for ${PAUSE_MS / 1_000} s: the others take over what it held`));
      fleet.pause(1);
      await wait(PAUSE_MS);
      fleet.resume(1);
      tell('router 2 wakes up: it may send nothing of what it held, and joins anew');
    }),
    await trouble('the primary dies', async () => {
      tell(pc.red('the primary of the database is killed, and the standby promoted'));
      await database.loseThePrimary();
      await wait(BETWEEN_MS);
      await database.rebuildTheStandby();
      tell('the database has a standby again');
    }),
  ];
}

async function trouble(fault: string, run: () => Promise<void>): Promise<Trouble> {
  await wait(BETWEEN_MS);
  const from = Date.now();
  await run();
  const to = Date.now();
  await wait(BETWEEN_MS);
  return { fault, from, to };
}

function conclude(result: Verdict & { readonly arrived: number; readonly waiting: number }): boolean {
  const { acknowledged, arrived, lost, repeated, unexplained, waiting } = result;
  tellTable({ acknowledged, arrived, 'came twice': repeated, lost: lost.length, waiting });
  const faults = [
    ...(lost.length === 0 ? [] : [`${lost.length} acknowledged events did not arrive`]),
    ...(unexplained.length === 0 ? [] : [`${unexplained.length} events came twice that were not in flight at a fault`]),
    ...(waiting === 0 ? [] : [`${waiting} deliveries have not ended`]),
  ];
  for (const fault of faults) console.log(pc.red(`  ✗ ${fault}`));
  if (faults.length > 0) return false;
  if (repeated > 0) console.log(`  ${TWICE}`);
  console.log(pc.green('  Every acknowledged event arrived.'));
  return true;
}
