import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { createReceiver } from '../../testbed/index.ts';
import { countArrivals } from './arrivals.ts';
import { connectWebhook, type Connection } from './connection.ts';

const TOKEN = 'crash-run-token-0123456789';
const SENDERS = 4;
const BATCH = 5;
/** Long enough for what is left to be delivered on a busy machine; a run that needs it all has lost something. */
const DRAIN_MS = 60_000;

export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Message ids that were answered 200 and never arrived: must be 0 (ING-10). */
  readonly lost: number;
  /** Deliveries beyond the first of their message (D-32). */
  readonly repeated: number;
}

/**
 * Sends events without pause while the router is killed and started again, `kills` times at random moments, and counts
 * what of the acknowledged arrives in the end.
 */
export async function crashRun(
  kills: number,
  random: () => number,
  onKill: (done: number) => void = () => undefined,
): Promise<CrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-crash-'));
  // Some answers come late, so that every kill finds deliveries under way.
  await using receiver = await createReceiver({ script: 'delay:0ms..20ms x*', keep: 1 });
  const arrivals = countArrivals(receiver);
  const acknowledged = new Set<string>();
  let router = await start(folder);
  try {
    const connection = await connectWebhook(router.url, TOKEN, receiver.url);
    for (let kill = 0; kill < kills; kill += 1) {
      const load = startLoad(router, connection, `k${kill}`, acknowledged);
      await wait(20 + random() * 150);
      await router.kill();
      await load;
      router = await start(folder);
      onKill(kill + 1);
    }
    await arrivals.settled(acknowledged, DRAIN_MS);
  } finally {
    await router.stop();
    await rm(folder, { recursive: true });
  }
  const lost = [...acknowledged].filter((id) => !arrivals.counts.has(id)).length;
  const repeated = [...arrivals.counts.values()].reduce((sum, count) => sum + count - 1, 0);
  return { kills, acknowledged: acknowledged.size, lost, repeated };
}

function start(folder: string): Promise<RouterProcess> {
  const flags = { port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8' };
  return startRouterProcess({ ...flags, 'log-level': 'info' });
}

/** Sends until the router is gone. */
async function startLoad(router: RouterProcess, { writeKey }: Connection, run: string, acknowledged: Set<string>) {
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let request = 0; ; request += 1) {
        const ids = Array.from({ length: BATCH }, (__, index) => `${run}-${sender}-${request}-${index}`);
        if (!(await sendBatch(router.url, writeKey, ids))) return;
        for (const id of ids) acknowledged.add(id);
      }
    }),
  );
}

/** True once the batch was answered 200; false when the router did not answer. */
async function sendBatch(url: string, writeKey: string, ids: readonly string[]): Promise<boolean> {
  const batch = ids.map((messageId) => ({ type: 'track', userId: 'u1', event: 'Crash', messageId }));
  try {
    const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
    if (answer.status !== 200) throw new Error(`a batch was answered ${answer.status}: ${await answer.text()}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
