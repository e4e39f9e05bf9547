import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { type Json, newFolder } from '../support/delivery-world.ts';
import { listening } from '../support/raw-receiver.ts';

const TOKEN = 'replay-restart-token-0123';
const DESTINATION = '/v1beta/workspaces/main/sources/crash/destinations/webhooks';
const EVENTS = 12;
const POLL = { interval: 20 };

/** A receiver that refuses everything until it is told to take it, and remembers what it took. */
async function startReceiver(): Promise<{ url: string; taken: string[]; isWell: boolean }> {
  const receiver = { url: '', taken: [] as string[], isWell: false };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (receiver.isWell) receiver.taken.push(JSON.parse(body).messageId);
      response.writeHead(receiver.isWell ? 200 : 400).end();
    });
  });
  receiver.url = `http://127.0.0.1:${await listening(server)}/`;
  return receiver;
}

async function ask(router: RouterProcess, method: string, path: string, body?: object): Promise<Json> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(`${router.url}${DESTINATION}${path}`, options);
  const parsed: Json = JSON.parse(await answer.text());
  expect(answer.status, JSON.stringify(parsed)).toBe(200);
  return parsed;
}

test('C-12: a bulk replay goes on after the router was killed', async () => {
  const receiver = await startReceiver();
  const flags = {
    port: '0',
    'data-dir': newFolder(),
    token: TOKEN,
    'allow-networks': '127.0.0.0/8',
    'rate-limit': '0',
  };
  await using first = await startRouterProcess(flags);
  const { writeKey } = await connectWebhook(first.url, TOKEN, receiver.url);
  const ids = Array.from({ length: EVENTS }, (_, index) => `m${index}`);
  const batch = ids.map((messageId) => ({ type: 'track', userId: 'u1', event: 'Ordered', messageId }));
  await fetch(`${first.url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
  const failed = async (): Promise<number> =>
    (await ask(first, 'GET', '/deliveries?state=failed'))['deliveries'].length;
  await expect.poll(failed, POLL).toBe(EVENTS);
  receiver.isWell = true;
  await ask(first, 'POST', '/replays', { per_second: 4 });
  await expect.poll(() => receiver.taken.length, POLL).toBeGreaterThan(1);
  await first.kill();
  const before = receiver.taken.length;
  expect(before, 'the job was killed half way').toBeLessThan(EVENTS);

  await using second = await startRouterProcess(flags);
  const replay = async (): Promise<string> => (await ask(second, 'GET', '/replays/1'))['state'];
  await expect.poll(replay, POLL).toBe('finished');
  expect(await ask(second, 'GET', '/replays/1')).toMatchObject({ matched: EVENTS, replayed: EVENTS });
  await expect.poll(() => new Set(receiver.taken).size, POLL).toBe(EVENTS);
  // What was being sent when the router was killed may come twice (D-32), and nothing else.
  expect(receiver.taken.length - EVENTS).toBeLessThanOrEqual(2);
  const { deliveries } = await ask(second, 'GET', '/deliveries');
  expect(deliveries.map((delivery: Json) => delivery['replay_count'])).toEqual(Array(EVENTS).fill(1));
  await second.stop();
});
