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
  spentMs(): number;
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

/** Microseconds of a router's processor time for each event, side by side. */
export async function costsOf(subjects: readonly Subject[], { warmUp, events, atOnce }: Turns): Promise<number[]> {
  for (const subject of subjects) await subject.send(warmUp);
  const before = subjects.map((subject) => subject.spentMs());
  for (let sent = 0; sent < events; sent += atOnce) for (const subject of subjects) await subject.send(atOnce);
  const rounds = Math.ceil(events / atOnce);
  return subjects.map((subject, index) => ((subject.spentMs() - (before[index] ?? 0)) * 1_000) / (rounds * atOnce));
}
