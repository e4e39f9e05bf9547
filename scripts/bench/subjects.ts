import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sized, type Wish } from './bench.ts';
import { type BenchRouter, startRouter } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

/** Events of a request. */
const BATCH = 10;

/** A router with a sender and a receiver of its own. */
export interface Subject {
  /** Resolves when so many more have arrived. */
  send(events: number): Promise<void>;
  spentMs(): Promise<number>;
}

export interface SubjectOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Before anything is sent. */
  readonly setUp?: (router: BenchRouter) => Promise<unknown>;
  /** Events that it will be sent at most. */
  readonly most: number;
}

export async function startSubject(
  opened: AsyncDisposableStack,
  { environment, setUp, most }: SubjectOptions,
): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const receiver = opened.use(await startReceiver(most * 2));
  const router = opened.use(await startRouter(folder, environment));
  const writeKeys = await router.connect([`${receiver.url}/ok/0`]);
  await setUp?.(router);
  const load = opened.use(await startLoad(router.url));
  let sent = 0;
  return {
    spentMs: () => router.processorMs(),
    send: async (events) => {
      const first = sent;
      sent += events;
      await load.send({ writeKeys, batch: BATCH, pace: { connections: 16 }, first, events });
      await receiver.waitFor(sent);
    },
  };
}

/** How many events each gets; `atOnce` in its turn, so that what else the machine does weighs on all alike. */
export interface Turns {
  readonly warmUp: number;
  readonly events: number;
  readonly atOnce: number;
}

const FULL: Turns = { warmUp: 20_000, events: 40_000, atOnce: 2_000 };

/** Of the size that is wished for, in whole requests. */
export function turnsOf(wish: Wish): Turns {
  const inRequests = (count: number): number => sized(count / BATCH, wish) * BATCH;
  return { warmUp: inRequests(FULL.warmUp), events: inRequests(FULL.events), atOnce: inRequests(FULL.atOnce) };
}

/** Microseconds of a router's processor time for each event, of each subject, in each of the turns. */
export async function turnCostsOf(subjects: readonly Subject[], turns: Turns): Promise<number[][]> {
  const { warmUp, events, atOnce } = turns;
  for (const subject of subjects) await subject.send(warmUp);
  // What a router does while the others have their turns is its own too.
  const spent = await Promise.all(subjects.map((subject) => subject.spentMs()));
  const costs: number[][] = [];
  for (let sent = 0; sent < events; sent += atOnce) {
    const turn = subjects.map(() => 0);
    // Every other time the other way round: what comes first has its caches to itself.
    const order = [...subjects.entries()];
    for (const [index, subject] of costs.length % 2 === 0 ? order : order.toReversed()) {
      await subject.send(atOnce);
      const now = await subject.spentMs();
      turn[index] = ((now - (spent[index] ?? 0)) * 1_000) / atOnce;
      spent[index] = now;
    }
    costs.push(turn);
  }
  return costs;
}

/** The same over all turns. */
export async function costsOf(subjects: readonly Subject[], turns: Turns): Promise<number[]> {
  const costs = await turnCostsOf(subjects, turns);
  return subjects.map((_subject, index) => costs.reduce((sum, turn) => sum + (turn[index] ?? 0), 0) / costs.length);
}
