import { once } from 'node:events';
import { certify, exampleOf, hasPassed, webhookRequest } from '@waybill/testbed';
import { anyEvent } from '@waybill/testbed/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhookEndpoint } from './webhook-endpoint.ts';

const secret = 's3cret';
const orders = new Map<string, number>();
const server = createWebhookEndpoint(secret, orders);
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object(server.address()).port}/hooks`;
});
afterAll(() => server.close());

test('a completed order is remembered, and only once', async () => {
  const order = exampleOf('track', { event: 'Order Completed', properties: { total: 42.5 } });
  for (const attempt of [1, 2]) {
    const answer = await fetch(url, webhookRequest(order, { secret }));
    expect(answer.status, `attempt ${attempt}`).toBe(200);
  }
  expect([...orders.values()]).toEqual([42.5]);
});

test('every body that the contract allows is taken', async () => {
  const property = fc.asyncProperty(anyEvent(), async (event) => {
    const answer = await fetch(url, webhookRequest(event, { secret }));
    expect(answer.status).toBe(200);
  });
  await fc.assert(property, { numRuns: 100 });
});

test('the endpoint passes all scenarios of the certificate', { timeout: 60_000 }, async () => {
  const results = await certify({ url, secret });
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  expect(failed.map(({ id, words }) => `${id}: ${words}`)).toEqual([]);
  expect(hasPassed(results)).toBe(true);
});
