/** A project's tests under `node --test`: a receiver on a socket, what the assertions say, and what they say when they fail. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createReceiver, exampleOf, type Receiver, webhookRequest } from '@waybill/testbed';
import { assertSent } from '@waybill/testbed/node-test';

const SECRET = 's3cret';
let receiver: Receiver;

beforeEach(async () => {
  receiver = await createReceiver({ secret: SECRET, script: '503,200' });
});
afterEach(async () => receiver[Symbol.asyncDispose]());

async function send(times: number): Promise<readonly number[]> {
  const event = exampleOf('track', { receivedAt: new Date().toISOString() });
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1)
    statuses.push((await fetch(receiver.url, webhookRequest(event, { secret: SECRET }))).status);
  return statuses;
}

void test('an event that is sent again is delivered once', async () => {
  assert.deepEqual(await send(2), [503, 200]);
  assertSent(receiver).toHaveDelivered({ type: 'track', count: 1 });
  assertSent(receiver).toArriveInOrder();
  await assertSent(receiver).toBeSignedWith(SECRET);
});

void test('an event that is not sent again is not delivered', async () => {
  await send(1);
  assertSent(receiver).not.toHaveDelivered();
  assert.throws(() => assertSent(receiver).toHaveDelivered(), { name: 'AssertionError' });
});

void test('another secret is found', async () => {
  await send(1);
  await assert.rejects(assertSent(receiver).toBeSignedWith('another'), { name: 'AssertionError' });
});
