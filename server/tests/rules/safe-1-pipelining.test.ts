import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FLOODS } from '../../../scripts/strangers/floods.ts';
import { ended, sendAndNotRead } from '../../../scripts/strangers/unreading-peers.ts';
import { UNANSWERED_REQUESTS } from '../../http/connections.ts';
import { type MeasuredProcess, startMeasured, type Taken } from '../support/measured-process.ts';

const CONNECTIONS = 40;
const MANY_CONNECTIONS = 300;
/** More than one chunk of what a server reads. */
const REQUESTS = 3_000;
/** Requests in the first chunk may be few enough to be answered, and those of the next too many. */
const MAX_REQUESTS = 3 * (UNANSWERED_REQUESTS + 1);
const MAX_BYTES = 100_000_000;

let folder: string;
let router: MeasuredProcess;
/** What the router takes before strangers come. */
let idle: Taken;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-floods-'));
  const flags = ['--port=0', `--data-dir=${folder}`, '--token=floods-test-token-0123456789'];
  router = await startMeasured('./measured-router.ts', flags);
  await (await fetch(`${router.url}/healthz`)).text();
  idle = await router.measure();
});

afterAll(async () => {
  await router[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function flood(url: string, connections: number, request: string): Promise<readonly Socket[]> {
  const sockets = await sendAndNotRead(url, request.repeat(REQUESTS), connections);
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  return sockets;
}

test.each(FLOODS)(
  'SAFE-1: of thousands of $what in one piece few are looked at, and others are served',
  async ({ request }) => {
    const before = await router.measure();
    const strangers = await flood(router.url, CONNECTIONS, request);
    const honest = await fetch(`${router.url}/healthz`);
    expect([honest.status, await honest.json()]).toEqual([200, { status: 'ok' }]);
    await ended(strangers);
    const after = await router.measure();
    expect(after.requests - before.requests).toBeGreaterThan(CONNECTIONS);
    expect(after.requests - before.requests).toBeLessThan(CONNECTIONS * MAX_REQUESTS);
    expect(after.peakBytes - idle.peakBytes).toBeLessThan(MAX_BYTES);
  },
);

test('SAFE-1: of thousands of requests on each of many connections few are looked at', async () => {
  const before = await router.measure();
  await ended(await flood(router.url, MANY_CONNECTIONS, 'GET /healthz HTTP/1.1\r\nHost: waybill\r\n\r\n'));
  const after = await router.measure();
  expect(after.requests - before.requests).toBeLessThan(MANY_CONNECTIONS * MAX_REQUESTS);
  expect(after.peakBytes - idle.peakBytes).toBeLessThan(MAX_BYTES);
});

test('SAFE-1: a server that ends a connection and goes on with what it has read is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  await ended(await flood(naive.url, 1, 'GET /end HTTP/1.1\r\nHost: waybill\r\n\r\n'));
  expect((await naive.measure()).requests).toBeGreaterThan(MAX_REQUESTS);
});

test('SAFE-1: a server that takes memory for a moment is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  const { peakBytes } = await naive.measure();
  const peers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${naive.url}/new`)));
  await Promise.all(peers.map(async (peer) => peer.body?.cancel()));
  expect((await naive.measure()).peakBytes - peakBytes).toBeGreaterThan(MAX_BYTES);
});
