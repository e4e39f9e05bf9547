import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { consolePaths, largestOfConsole, NOT_IN_CONSOLE } from '../../../scripts/strangers/console-paths.ts';
import { ended, sendAndNotRead } from '../../../scripts/strangers/unreading-peers.ts';
import { loadDocument, operationsOf } from '../../http/document.ts';
import { REFERENCE_PATHS } from '../../http/reference.ts';
import { UNANSWERED_REQUESTS } from '../../http/connections.ts';
import { type MeasuredProcess, startMeasured, type Taken } from '../support/measured-process.ts';

/** What strangers may make the router keep, whatever they ask for. */
const MAX_BYTES = 50_000_000;
/** Peers of each route, and what each of them may make it keep: all that a router grows is less than a third of that. */
const [PEERS, PEER_BYTES] = [12, 1_250_000];
const TOKEN = '--token=strangers-test-token-0123';
const LARGEST = 'GET /docs/redoc.standalone.js';
/** Pages and their files, in the order in which they are loaded. */
const PAGES = [...REFERENCE_PATHS, ...consolePaths()];

/** Every route: what the documents hold, and what is beside them. */
const ROUTES = [
  ...(['config-api', 'ingestion-api'] as const).flatMap((name) =>
    operationsOf(loadDocument(name)).map(({ method, template }) => {
      const path = template
        .replace('{workspace}', 'main')
        .replace('{call}', 'track')
        .replaceAll(/\{\w+\}/g, 'x');
      return `${method.toUpperCase()} ${path}`;
    }),
  ),
  ...['/healthz', '/readyz', '/metrics', '/', '/nothing', '/v1/nothing', '/v1beta/nothing', ...PAGES].map(
    (path) => `GET ${path}`,
  ),
];

let folder: string;
let router: MeasuredProcess;
/** What the router takes before strangers come. */
let idle: Taken;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-strangers-'));
  const flags = ['--port=0', `--data-dir=${folder}`, TOKEN, '--response-timeout=500ms'];
  router = await startMeasured('./measured-router.ts', flags);
  // What is made at a first request is no growth.
  for (const path of PAGES) await fetch(router.url + path);
  idle = await router.measure();
});

afterAll(async () => {
  await router[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(
  url: string,
  routes: string | readonly string[],
  connections: number,
  requests: number,
): Promise<Socket[]> {
  const each = [routes].flat().map((route) => `${route} HTTP/1.1\r\nHost: waybill\r\nContent-Length: 0\r\n\r\n`);
  const text = each.join('').repeat(requests);
  const sockets = await sendAndNotRead(url, text, connections);
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  return sockets;
}

/** How far the memory of a process is above `before` at its highest, while what was sent is dealt with. */
async function growth(process: MeasuredProcess, before: number, looks: number): Promise<number> {
  let highest = 0;
  for (let look = 0; look < looks; look += 1) highest = Math.max(highest, (await process.measure()).bytes - before);
  return highest;
}

/** What a process keeps beyond `before` for peers that get answers and do not read them. */
async function keptFor(peers: readonly Socket[], process: MeasuredProcess, before: number): Promise<number> {
  // Measured before the answers are made, there would be nothing to find.
  await Promise.all(peers.map((peer) => once(peer, 'readable')));
  return growth(process, before, 1);
}

test.each(ROUTES)('SAFE-1: peers that ask for %s and do not read take no memory, and are ended', async (route) => {
  const flood = await ask(router.url, route, 4, 200);
  const peers = await ask(router.url, route, PEERS, UNANSWERED_REQUESTS);
  expect(await keptFor(peers, router, idle.bytes)).toBeLessThan(PEERS * PEER_BYTES);
  await ended(flood);
});

test('SAFE-1: who asks for what is missing makes no page be read again for others, who do not read it', async () => {
  const own = mkdtempSync(join(tmpdir(), 'waybill-strangers-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  // Of one whose peers may take their time, so that they are many.
  await using patient = await startMeasured('./measured-router.ts', ['--port=0', `--data-dir=${own}`, TOKEN]);
  await fetch(patient.url + largestOfConsole());
  const { bytes } = await patient.measure();
  for (let peer = 0; peer < 300; peer += 1) {
    await fetch(patient.url + NOT_IN_CONSOLE);
    const [socket] = await ask(patient.url, `GET ${largestOfConsole()}`, 1, UNANSWERED_REQUESTS);
    if (socket !== undefined) await once(socket, 'readable');
  }
  expect(await growth(patient, bytes, 1)).toBeLessThan(MAX_BYTES);
});

test('SAFE-1: 400 connections with an unread answer each take no memory', async () => {
  await ask(router.url, LARGEST, 400, 1);
  expect(await growth(router, idle.bytes, 5)).toBeLessThan(MAX_BYTES);
});

test('SAFE-1: peers that do not read large answers are ended after --response-timeout', async () => {
  await ask(router.url, LARGEST, 40, UNANSWERED_REQUESTS);
  expect(await growth(router, idle.bytes, 5)).toBeLessThan(MAX_BYTES);
  // Peers would not notice before they read: the router itself is asked.
  const open = async (): Promise<number> => (await router.measure()).sockets - idle.sockets;
  await expect.poll(open, { timeout: 20_000, interval: 250 }).toBeLessThan(1);
});

test('SAFE-1: a server that keeps what is not read is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  const { bytes } = await naive.measure();
  await ask(naive.url, LARGEST, 1, 100);
  await expect.poll(() => growth(naive, bytes, 1)).toBeGreaterThan(MAX_BYTES);
});

test('SAFE-1: a route that makes a large answer for each peer is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  const { bytes } = await naive.measure();
  const peers = await ask(naive.url, 'GET /new', PEERS, 1);
  expect(await keptFor(peers, naive, bytes)).toBeGreaterThan(PEERS * PEER_BYTES);
});

test('SAFE-1: a server that reads its file again after a request for what it lacks is found out', async () => {
  await using naive = await startMeasured('./measured-naive.ts', []);
  const { bytes } = await naive.measure();
  await ask(naive.url, ['GET /none', 'GET /kept'], 10, 8);
  await expect.poll(() => growth(naive, bytes, 1)).toBeGreaterThan(MAX_BYTES);
});
