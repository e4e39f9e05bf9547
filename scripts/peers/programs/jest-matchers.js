import { expect, test } from '@jest/globals';
import { createReceiver, exampleOf, webhookRequest } from '@waybill/testbed';
import { deliveryMatchers } from '@waybill/testbed/jest';

expect.extend(deliveryMatchers);

test('a receiver and the matchers work together', async () => {
  const receiver = await createReceiver({ secret: 's3cret' });
  expect([]).not.toHaveDelivered();
  const event = exampleOf('track', { receivedAt: new Date().toISOString() });
  await fetch(receiver.url, webhookRequest(event, { secret: 's3cret' }));
  expect(receiver).toHaveDelivered({ type: 'track', count: 1 });
  await expect(receiver).toBeSignedWith('s3cret');
  await receiver[Symbol.asyncDispose]();
});
