import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { createReceiver, type Receiver } from '../../../testbed/index.ts';
import { newFolder } from '../support/delivery-world.ts';
import { allowFileWrites, refuseFileWrites } from '../support/file-limit.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const TOKEN = 'log-reader-token-0123456789';
const POLL = { interval: 50 };

interface World {
  readonly router: ChildProcess;
  readonly url: string;
  readonly receiver: Receiver;
  readonly post: (events: number) => Promise<number>;
}

/** The router with its log where the test wants it; `logged` answers what is there. */
async function startWorld(stdout: 'pipe' | number, logged: (router: ChildProcess) => () => string): Promise<World> {
  const receiver = await createReceiver();
  onTestFinished(() => receiver.close());
  const flags = ['--port', '0', '--data-dir', newFolder(), '--token', TOKEN, '--allow-networks', '127.0.0.0/8'];
  const router = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', stdout, 'ignore'], env: {} });
  onTestFinished(() => void router.kill('SIGKILL'));
  const text = logged(router);
  await expect.poll(text, POLL).toContain('"listening"');
  const url = /"url":"([^"]+)"/.exec(text())?.[1] ?? '';
  const { writeKey } = await connectWebhook(url, TOKEN, receiver.url);
  return {
    router,
    url,
    receiver,
    post: async (events) => {
      const batch = Array.from({ length: events }, () => ({ type: 'track', userId: 'u1', event: 'Ordered' }));
      return (await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) })).status;
    },
  };
}

/** Reads until the router listens, and never again. */
function readOnce({ stdout }: ChildProcess): () => string {
  let text = '';
  stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    if (text.includes('"listening"')) stdout.pause();
  });
  return () => text;
}

test('a log that nobody reads holds up neither deliveries nor the end', async () => {
  const { router, receiver, post } = await startWorld('pipe', readOnce);
  // Their lines are more than a pipe holds.
  for (let batch = 0; batch < 30; batch += 1) expect(await post(100)).toBe(200);
  await receiver.waitFor({ count: 3_000, within: '60s' });
  const ended = once(router, 'exit');
  router.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a log whose file cannot be written ends nothing, and resumes by itself', async () => {
  const file = join(newFolder(), 'router.log');
  const handle = openSync(file, 'w');
  onTestFinished(() => closeSync(handle));
  const text = (): string => readFileSync(file, 'utf8');
  const { router, url, receiver, post } = await startWorld(handle, () => text);
  refuseFileWrites(router.pid ?? 0);
  // Refused, as the store is on that disk too, and that is a line of the log.
  expect(await post(1)).toBe(503);
  await expect.poll(() => metric(url), POLL).toBeGreaterThan(0);
  allowFileWrites(router.pid ?? 0);
  await expect.poll(() => post(1), POLL).toBe(200);
  await receiver.waitFor({ count: 1 });
  await expect.poll(text, POLL).toMatch(/"dropped":\d+,"msg":"lines were dropped while the log was blocked"/);
  const ended = once(router, 'exit');
  router.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(text().trimEnd()).toMatch(/"msg":"stopped"\}$/);
});

async function metric(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(/^waybill_log_lines_dropped_total (\d+)$/m.exec(page)?.[1]);
}
