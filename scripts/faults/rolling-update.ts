import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../server/ports/random.ts';
import { createReceiver } from '../../testbed/index.ts';
import { connectWebhook } from '../crash/connection.ts';
import { arrivalsAt, DRAIN_MS, drained } from './arrivals.ts';
import { Chores, type ChoreVerdict } from './chores.ts';
import { DatabasePair, urlOfPair } from './database-pair.ts';
import { earlierVersion } from './earlier-version.ts';
import { Fleet } from './fleet.ts';
import { startLoad } from './load.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface RollingUpdateOptions {
  /** A commit: all routers are of that version at first. */
  readonly from: string;
  readonly random: Random;
  readonly routers?: number;
  readonly onUpdate?: (done: number) => void;
}

export interface RollingUpdateReport extends Verdict {
  readonly jobs: ChoreVerdict;
  /** Requests that were not answered with 200, and were sent again. */
  readonly refused: ReadonlyMap<string, number>;
  /** How the processes of the earlier version ended. */
  readonly exitCodes: readonly (number | null)[];
  /** Formats of the database before the first update and after the last. */
  readonly formats: readonly number[];
  readonly unended: number;
  readonly logs: string;
}

const TOKEN = 'rolling-update-token-0123456789';
/** Some are refused once, so that some always wait in storage; what is on its way is so for a while. */
const SCRIPT = '503+5%+delay:0ms..5ms x*,delay:0ms..60ms x*';
const BETWEEN_MS = 3_000;

/** Replaces routers one after the other by those of today, under load; nothing that was acknowledged may be lost, or come twice. */
export async function rollingUpdate(options: RollingUpdateOptions): Promise<RollingUpdateReport> {
  const { from, random, routers = 3, onUpdate } = options;
  await using earlier = await earlierVersion(from);
  await using receiver = await createReceiver({ script: SCRIPT, keep: 1 });
  const arrivals = arrivalsAt(receiver);
  await using other = await createReceiver({ keep: 1 });
  await using database = await DatabasePair.start();
  const updated = new Set<number>();
  await using fleet = await Fleet.start({
    token: TOKEN,
    routers,
    databasePorts: database.ports,
    storage: urlOfPair,
    entryOf: (index) => (updated.has(index) ? undefined : earlier.entry),
  });
  const formats = [await formatOf(database)];
  const { writeKey } = await connectWebhook(fleet.urls[0] ?? '', TOKEN, receiver.url);
  const given = { urls: () => fleet.urls, token: TOKEN, hook: other.url, arrivals: arrivalsAt(other), database };
  const chores = await Chores.start(given);
  const load = startLoad({ writeKey, routers: () => fleet.urls }, random);
  const exitCodes: (number | null)[] = [];
  for (let index = 0; index < routers; index += 1) {
    await wait(BETWEEN_MS);
    exitCodes.push(await fleet.stop(index));
    updated.add(index);
    await fleet.start(index);
    onUpdate?.(index + 1);
  }
  await wait(BETWEEN_MS);
  await Promise.all([load.stop(), chores.stop()]);
  const { acknowledged } = load;
  const unended = await drained(database, DRAIN_MS, () => acknowledged.ids.isSubsetOf(arrivals));
  const verdict = verdictOf(acknowledged.ids, arrivals, []);
  const jobs = await chores.verdict(DRAIN_MS);
  formats.push(await formatOf(database));
  return { ...verdict, jobs, refused: acknowledged.refused, exitCodes, formats, unended, logs: fleet.logs(20) };
}

async function formatOf(database: DatabasePair): Promise<number> {
  const [row] = await database.rows<{ readonly version: number }>('SELECT version FROM waybill.waybill_format');
  return Number(row?.version);
}
