import { createServer } from 'node:http';
import { once } from 'node:events';
import { certify, exampleOf, webhookRequest } from '@waybill/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The endpoint under test: put your own in its place. This one believes everybody.
const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200).end('ok'));
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object(server.address()).port}/hooks`;
});
afterAll(() => server.close());

test('it takes an event', async () => {
  const answer = await fetch(url, webhookRequest(exampleOf('track'), { secret: 's3cret' }));
  expect(answer.status).toBe(200);
});

test('the certificate finds that it checks no signatures', async () => {
  const results = await certify({ url, secret: 's3cret' });
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  expect(failed.map(({ title }) => title)).toContain('A request without a signature is rejected');
});
