import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../server/ports/random.ts';
import { createReceiver } from '../../testbed/index.ts';
import { connectWebhook } from '../crash/connection.ts';
import type { Defect } from '../crash/defects.ts';
import { arrivalsAt, DRAIN_MS, drained, type Sent, sendsTo } from './arrivals.ts';
import { Chores, type ChoreVerdict } from './chores.ts';
import { DatabasePair, urlOfPair } from './database-pair.ts';
import { earlierVersion } from './earlier-version.ts';
import { deafRouters, HEARS_WITHIN_MS } from './deaf-routers.ts';
import { FAULTS, type FaultName, type Stage } from './faults.ts';
import { Fleet } from './fleet.ts';
import { notedLeases, noteLeases, sentAfterLease } from './leases.ts';
import { startLoad } from './load.ts';
import { type Trouble, type Verdict, verdictOf } from './verdict.ts';

export interface FaultRunOptions {
  readonly faults: readonly FaultName[];
  readonly random: Random;
  readonly routers?: number;
  /** A commit: the first router is of that version. */
  readonly beside?: string | undefined;
  /** Breaks the routers, to show that the run finds it. */
  readonly defect?: Defect;
  /** For so long nothing of what is left may end before it counts as stuck. */
  readonly drainMs?: number;
  /** After each fault every router takes an event within so long, or counts as dead. */
  readonly hearsWithinMs?: number;
  readonly onFault?: (name: FaultName, done: number) => void;
}

export interface FaultReport extends Verdict {
  /** What routers sent after their lease had ended. */
  readonly afterLease: readonly Sent[];
  readonly jobs: ChoreVerdict;
  readonly refused: ReadonlyMap<string, number>;
  /** Deliveries that had not ended although everything was whole for minutes. */
  readonly unended: number;
  /** Of routers that ended by themselves, or took no event any more: how. */
  readonly deaths: readonly string[];
  /** Of the routers, the end of their logs; for whoever looks for the cause. */
  readonly logs: string;
}

const TOKEN = 'fault-run-token-0123456789';
/** Some are refused once, so that some always wait in storage. */
const SCRIPT = '503+5%+delay:0ms..5ms x*,delay:0ms..30ms x*';
const BETWEEN_MS = 1_500;

/** Sends events to several routers while one after the other thing breaks, and finds what was lost, repeated or left. */
export async function faultRun(options: FaultRunOptions): Promise<FaultReport> {
  const { random, routers = 3, drainMs = DRAIN_MS, beside, defect } = options;
  await using earlier = beside === undefined ? undefined : await earlierVersion(beside);
  await using receiver = await createReceiver({ script: SCRIPT, keep: 1 });
  const arrivals = arrivalsAt(receiver);
  const sends = sendsTo(receiver);
  await using other = await createReceiver({ keep: 1 });
  await using database = await DatabasePair.start();
  await using fleet = await Fleet.start({
    token: TOKEN,
    routers,
    databasePorts: database.ports,
    storage: urlOfPair,
    entryOf: (index) => (index === 0 ? earlier?.entry : undefined),
    defect,
  });
  const { writeKey } = await connectWebhook(fleet.urls[0] ?? '', TOKEN, receiver.url);
  const given = { urls: () => fleet.urls, token: TOKEN, hook: other.url, arrivals: arrivalsAt(other), database };
  const chores = await Chores.start(given);
  await noteLeases(database);
  const load = startLoad({ writeKey, routers: () => fleet.urls }, random);
  const { troubles, deaf } = await breakAll({ fleet, database, random }, writeKey, options);
  await wait(BETWEEN_MS);
  // Routers with a defect may come to do nothing at all; what they did before is what such a run is for.
  const stopped = chores.stop();
  await Promise.all([load.stop(), defect === undefined ? stopped : stopped.catch(() => undefined)]);
  const { acknowledged } = load;
  const unended = await drained(database, drainMs, () => acknowledged.ids.isSubsetOf(arrivals));
  const verdict = verdictOf(acknowledged.ids, arrivals, troubles);
  const jobs = await chores.verdict(drainMs);
  const afterLease = sentAfterLease(sends, await notedLeases(database));
  const deaths = [...fleet.deaths, ...deaf];
  return { ...verdict, jobs, afterLease, unended, deaths, refused: acknowledged.refused, logs: fleet.logs(20) };
}

/** One after the other; answers when, and which routers took no event any more afterwards. */
async function breakAll(
  stage: Stage,
  writeKey: string,
  { faults, onFault, hearsWithinMs = HEARS_WITHIN_MS }: FaultRunOptions,
): Promise<{ readonly troubles: readonly Trouble[]; readonly deaf: readonly string[] }> {
  const [troubles, deaf]: [Trouble[], string[]] = [[], []];
  for (const [index, fault] of faults.entries()) {
    await wait(BETWEEN_MS);
    const from = Date.now();
    await FAULTS[fault](stage);
    troubles.push({ fault, from, to: Date.now() });
    const found = await deafRouters(stage.fleet.urls, writeKey, hearsWithinMs);
    deaf.push(...found.map((words) => `after “${fault}”, ${words}`));
    onFault?.(fault, index + 1);
  }
  return { troubles, deaf };
}
