import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../settings/settings.ts';
import { startWaybill } from '../../app.ts';
import type { Json } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { listening } from '../support/raw-receiver.ts';

const TOKEN = 'hook-16-test-token-0123456789';
const SOURCE = 'workspaces/main/sources/js';
const IDENTIFIED = { type: 'identify', userId: 'u1', messageId: 'm1', traits: { email: 'a@example.com' } };

interface Received {
  readonly bodies: Record<string, unknown>[];
  readonly hook: string;
}

async function startReceiver(): Promise<Received> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      response.end('{}');
    });
  });
  return { bodies, hook: `http://127.0.0.1:${await listening(server)}/hook` };
}

/** The whole router, with one source and a webhooks destination; answers how to call it. */
async function startRouter(hook: string): Promise<Call> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-hook-16-'));
  const flags = { port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8' };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const waybill = await startWaybill(readSettings(args, {}), new RecordingLog());
  onTestFinished(async () => {
    await waybill.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(waybill.url + path, { method, headers, ...init });
    expect(response.status).toBe(200);
    const answer: Json = JSON.parse(await response.text());
    return answer;
  };
  await addSource(call, { name: SOURCE, key: 'k'.repeat(32), hook });
  return call;
}

type Call = (method: string, path: string, body?: object) => Promise<Json>;

async function addSource(call: Call, { name, key, hook }: Record<'name' | 'key' | 'hook', string>): Promise<void> {
  await call('POST', '/v1beta/workspaces/main/sources', { source: { name, write_keys: [key] } });
  const config = [{ name: 'hooks', value: [{ hook }] }];
  const destination = { name: `${name}/destinations/webhooks`, enabled: true, config };
  await call('POST', `/v1beta/${name}/destinations`, { destination });
}

test('HOOK-12, HOOK-16: a deletion request is told to the webhooks, and suppresses at once', async () => {
  const { bodies, hook } = await startReceiver();
  const call = await startRouter(hook);
  const send = (event: object): Promise<unknown> =>
    call('POST', '/v1/identify', { writeKey: 'k'.repeat(32), ...event });
  await send(IDENTIFIED);
  // The newest delivery would stay in the log, emptied, until retention takes it.
  await send({ ...IDENTIFIED, messageId: 'later', userId: 'u3' });
  await expect.poll(() => bodies.map(({ type }) => type)).toEqual(['identify', 'identify']);
  const attributes = { name: 'userId', values: ['u1'] };
  const regulation = { regulation_type: 'Suppress_With_Delete', attributes };
  const { name } = await call('POST', '/v1beta/workspaces/main/regulations', regulation);
  await send({ ...IDENTIFIED, messageId: 'm2' });
  await send({ ...IDENTIFIED, messageId: 'm3', userId: 'u2' });
  await expect.poll(() => bodies.map(({ type, userId }) => [type, userId])).toContainEqual(['identify', 'u2']);
  await expect.poll(async () => (await call('GET', `/v1beta/${name}`))['overall_status']).toBe('FINISHED');
  await expect.poll(() => bodies).toHaveLength(4);
  const told = bodies.find(({ type }) => type === 'delete');
  expect(told).toMatchObject({ type: 'delete', userId: 'u1', timestamp: expect.stringMatching(/\.\d{3}Z$/) });
  expect(told).not.toHaveProperty('version');
  const { deliveries } = await call('GET', `/v1beta/${SOURCE}/destinations/webhooks/deliveries`);
  expect(JSON.stringify(deliveries)).not.toContain('"m1"');
});

function kindsAndUsers({ bodies }: Received): string[] {
  return bodies.map(({ type, userId }) => `${String(type)} ${String(userId)}`).toSorted();
}

test('CFG-25: a deletion request of one source is told and held there, and the other source goes on', async () => {
  const [js, ios] = [await startReceiver(), await startReceiver()];
  const call = await startRouter(js.hook);
  await addSource(call, { name: 'workspaces/main/sources/ios', key: 'i'.repeat(32), hook: ios.hook });
  const send = async (messageId: string, userId = 'u1'): Promise<void> => {
    for (const key of ['k', 'i'])
      await call('POST', '/v1/identify', { writeKey: key.repeat(32), type: 'identify', userId, messageId });
  };
  await send('m1');
  const attributes = { name: 'userId', values: ['u1'] };
  const wanted = { regulation_type: 'Suppress_With_Delete', attributes };
  const { regulate_id: id } = await call('POST', `/v1beta/${SOURCE}/regulations`, wanted);
  await send('m2');
  await send('m3', 'u2');
  await expect
    .poll(async () => (await call('GET', `/v1beta/${SOURCE}/regulations/${String(id)}`))['overall_status'])
    .toBe('FINISHED');
  await expect.poll(() => kindsAndUsers(ios)).toEqual(['identify u1', 'identify u1', 'identify u2']);
  await expect.poll(() => kindsAndUsers(js)).toEqual(expect.arrayContaining(['delete u1', 'identify u2']));
  expect(js.bodies.map(({ messageId }) => messageId)).not.toContain('m2');
});
