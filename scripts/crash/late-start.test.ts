import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { countArrivals } from './arrivals.ts';
import { connectWebhook } from './connection.ts';

const TOKEN = 'late-start-token-0123456789';
const EVENTS = 200;
const AWAY_MS = 5 * 3_600_000;

function start(folder: string): Promise<RouterProcess> {
  return startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8' });
}

/** As if the file had lain there for so long: every time in it is so much earlier. */
function age(folder: string, ms: number): void {
  using database = new DatabaseSync(join(folder, 'deliveries.sqlite'));
  for (const column of ['due_at', 'set_at', 'received_at', 'window_from', 'ended_at']) {
    database.prepare(`UPDATE deliveries SET ${column} = ${column} - ?`).run(ms);
  }
}

test('HOOK-20: two hundred acknowledged, killed, started five hours later: all delivered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-late-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Its answers come too late to be written down before the kill.
  await using receiver = await createReceiver({ script: 'delay:60s x200,200', keep: 1 });
  {
    await using router = await start(folder);
    const { writeKey } = await connectWebhook(router.url, TOKEN, receiver.url);
    const batch = Array.from({ length: EVENTS }, (_, n) => {
      return { type: 'track', userId: 'u1', event: 'Late', messageId: `late-${n}` };
    });
    const answer = await fetch(`${router.url}/v1/batch`, {
      method: 'POST',
      body: JSON.stringify({ writeKey, batch }),
    });
    expect(answer.status).toBe(200);
    await router.kill();
  }
  age(folder, AWAY_MS);
  receiver.setScript('200');
  const arrivals = countArrivals(receiver);
  await using router = await start(folder);
  await expect.poll(() => arrivals.byId.size, { timeout: 60_000 }).toBe(EVENTS);
  const unfinished = async (): Promise<string> => (await fetch(`${router.url}/metrics`)).text();
  await expect
    .poll(unfinished, { timeout: 60_000 })
    .toContain(`waybill_deliveries_ended_total{state="delivered"} ${EVENTS}`);
});
