import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished, expect, test } from 'vitest';
import { readSettings } from '../../settings/settings.ts';
import { startWaybill } from '../../app.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { basic } from '../support/ingestion-server.ts';

const TOKEN = 'settings-test-token-0123456789';
const KEY = 'k'.repeat(32);

/** The whole router with these flags, and one source with KEY; answers its URL. */
async function start(...flags: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, ...flags];
  const waybill = await startWaybill(readSettings(all, {}), new RecordingLog());
  onTestFinished(() => waybill.stop());
  const body = JSON.stringify({ source: { name: 'workspaces/main/sources/js', write_keys: [KEY] } });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const made = await fetch(`${waybill.url}/v1beta/workspaces/main/sources`, { method: 'POST', headers, body });
  expect(made.status).toBe(200);
  return waybill.url;
}

function send(url: string, body: string): Promise<Response> {
  return fetch(`${url}/v1/batch`, { method: 'POST', headers: basic(KEY), body });
}

/** Sends most of the largest batch, and no more; answers what comes before its end. */
async function answerToPart(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const { authorization } = basic(KEY);
  const head = `POST /v1/batch HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: 499000\r\n\r\n`;
  socket.write(head + ' '.repeat(490_000));
  const [first]: unknown[] = await once(socket, 'data');
  return String(first);
}

test('D-41: the router holds --max-body-memory', async () => {
  const url = await start('--max-body-memory=4MB');
  const refused = await Promise.race(Array.from({ length: 9 }, () => answerToPart(url)));
  expect(refused).toMatch(/^HTTP\/1.1 429 .*retry-after: 1\r\n/is);
});

test('however little --max-body-memory is, and beside whatever key it comes, the largest batch is accepted', async () => {
  const url = await start('--max-body-memory=4MB');
  const text = JSON.stringify({ writeKey: KEY, batch: [{ type: 'identify', userId: 'u' }] });
  // As little as it can be compressed.
  const noise = randomBytes(373_000).toString('base64');
  const body = gzipSync(`${text.slice(0, -1)},"noise":"${noise}"}`, { level: 0 });
  const headers = { 'content-encoding': 'gzip' };
  const answers = [headers, { ...headers, ...basic(KEY) }].map(async (one) => {
    const { status } = await fetch(`${url}/v1/batch`, { method: 'POST', headers: one, body });
    return status;
  });
  expect([await answers[0], await answers[1]]).toEqual([200, 200]);
});

test('the Config API reads its bodies, however little --max-body-memory leaves to those of ingestion', async () => {
  const url = await start('--max-body-memory=4MB');
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-encoding': 'gzip' };
  const text = JSON.stringify({ workspace: { name: 'workspaces/other' } }).padEnd(2_000_000);
  const made = await fetch(`${url}/v1beta/workspaces`, { method: 'POST', headers, body: gzipSync(text) });
  expect(made.status).toBe(200);
});

test('the router holds --headers-timeout', async () => {
  const url = await start('--headers-timeout=100ms');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const [first]: unknown[] = await once(socket, 'data');
  expect(String(first)).toContain('408 Request Timeout');
  socket.destroy();
});

test('the router holds --request-timeout against a sender that stops', async () => {
  const url = await start('--request-timeout=300ms');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('POST /v1/batch HTTP/1.1\r\nHost: waybill\r\nContent-Length: 1000\r\n\r\n{');
  const [first]: unknown[] = await once(socket, 'data');
  expect(String(first)).toContain('408 Request Timeout');
});

test('the router holds --max-connections', async () => {
  const url = await start('--max-connections=2');
  const sockets = [1, 2, 3].map(() => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  // The third is one too many, whether or not the connection of the start still counts.
  await Promise.all(sockets.slice(2).map((socket) => once(socket.resume(), 'close')));
  expect(sockets[2]?.bytesRead).toBe(0);
});

test('D-41: the router holds --max-requests, and refuses no more than it must', async () => {
  const url = await start('--max-requests=1');
  const body = JSON.stringify({ batch: [{ type: 'identify', userId: 'u' }] });
  const seen = new Set<number>();
  await expect
    .poll(async () => {
      for (const { status } of await Promise.all(Array.from({ length: 20 }, () => send(url, body)))) seen.add(status);
      return [...seen].toSorted((a, b) => a - b);
    })
    .toEqual([200, 429]);
  expect((await send(url, body)).status).toBe(200);
});

test('D-42: what ingestion drops is read at the Config API', async () => {
  const url = await start();
  await send(url, JSON.stringify({ batch: [{ type: 'track', userId: 'u', messageId: 'm1' }] }));
  const path = `${url}/v1beta/workspaces/main/sources/js/dropped-events`;
  const answer = await fetch(path, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await answer.json()).toEqual({
    since: expect.any(String),
    adjusted_counts: [],
    adjusted_events: [],
    counts: [{ reason: 'event_not_defined', count: 1 }],
    dropped_events: [
      { reason: 'event_not_defined', receive_time: expect.any(String), type: 'track', message_id: 'm1' },
    ],
    blocked_counts: [],
    blocked_events: [],
  });
});
