import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendAndNotRead } from '../../../scripts/strangers/unreading-peers.ts';
import { UnreadAnswers } from '../../http/unread-answers.ts';
import { type ConfigApiServer, startConfigApi, TOKEN } from '../support/config-api.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';

/** More than the buffers of both ends take. */
const LARGE = 10_000_000;
/** Room for two large answers. */
const LIMIT = 25_000_000;
const SOURCE = '/workspaces/main/sources/large';
const RENAMED = { source: { labels: { a: 'b' } }, update_mask: { paths: ['source.labels'] } };

/** With a source whose answer is large in each of two workspaces, and a token for the second. */
async function start() {
  const time = { now: 0 };
  const api = await startConfigApi(undefined, { unread: new UnreadAnswers(LIMIT, () => time.now) });
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  for (const workspace of ['main', 'other']) {
    const source = sourceNamed(`workspaces/${workspace}/sources/large`, `key-${workspace}`);
    await api.store.create('sources', { ...source, display_name: 'x'.repeat(LARGE) });
  }
  return { api, time };
}

async function tokenFor(api: ConfigApiServer, workspace: string): Promise<string> {
  const wanted = { description: 'a test', scopes: 'workspace', workspace_names: [`workspaces/${workspace}`] };
  return String((await api.ok('POST', '/access-tokens', { access_token: wanted }))['token']);
}

/** Peers that ask for a source and read none of the answer, which has begun. */
async function unreading({ url }: ConfigApiServer, peers: number): Promise<Socket[]> {
  const request = `GET /v1beta${SOURCE} HTTP/1.1\r\nHost: waybill\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const sockets = await sendAndNotRead(url, request, peers);
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  return sockets;
}

/** Of how many the connection was ended before the answer had come whole. */
async function cutOff(peers: readonly Socket[]): Promise<number> {
  const lengths = await Promise.all(peers.map((peer) => lengthRead(peer)));
  return lengths.filter((length) => length < LARGE).length;
}

async function lengthRead(peer: Socket): Promise<number> {
  let length = 0;
  try {
    for await (const chunk of peer) if ((length += chunk.length) > LARGE) break;
  } catch {
    // It was ended with an answer on its way.
  }
  return length;
}

test('SAFE-1: large answers that are not read take a bounded memory, and what would pass it is answered 429', async () => {
  const { api } = await start();
  const [first] = await unreading(api, 2);
  const refused = await api.call('GET', SOURCE);
  expect(refused).toMatchObject({ status: 429, body: { error: /^too many large answers are not read yet/ } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('etag')).toBeNull();
  // What is small is answered, and so is what has no body.
  await api.ok('GET', '/workspaces/main');
  const head = await fetch(`${api.url}/v1beta${SOURCE}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(head.status).toBe(200);
  first?.destroy();
  await expect.poll(async () => (await api.call('GET', SOURCE)).status).toBe(200);
});

test('SAFE-1: whoever reads is never refused, however often they ask', async () => {
  const { api } = await start();
  for (let asked = 0; asked < 6; asked += 1) expect((await api.call('GET', SOURCE)).status).toBe(200);
});

test('SAFE-1: an unread answer gives way to a holder that has less, and to anybody once it is late', async () => {
  const { api, time } = await start();
  const token = await tokenFor(api, 'other');
  const peers = await unreading(api, 2);
  await api.ok('GET', '/workspaces/other/sources/large', undefined, { token });
  expect(await cutOff(peers)).toBe(1);
  const further = await unreading(api, 2);
  time.now = 5_001;
  await api.ok('GET', SOURCE);
  expect(await cutOff(further)).toBe(1);
});

test('SAFE-1: a change whose answer has no room is made, and its answer says so', async () => {
  const { api } = await start();
  const peers = await unreading(api, 2);
  const answer = await api.call('PATCH', SOURCE, RENAMED);
  expect(answer).toMatchObject({ status: 503, body: { error: /^the change was made, but/ } });
  expect(answer.headers.get('retry-after')).toBe('1');
  peers.forEach((peer) => void peer.destroy());
  await expect.poll(async () => (await api.call('GET', SOURCE)).body).toMatchObject({ labels: { a: 'b' } });
});

test('SAFE-1: an answer that is larger than all of the memory is given, one at a time', async () => {
  const api = await startConfigApi(undefined, { unread: new UnreadAnswers(LARGE / 2, () => 0) });
  const source = sourceNamed('workspaces/main/sources/large', 'key');
  await api.store.create('sources', { ...source, display_name: 'x'.repeat(LARGE) });
  await api.ok('GET', SOURCE);
  await unreading(api, 1);
  expect(await api.call('GET', SOURCE)).toMatchObject({ status: 429 });
});
