import { createReceiver, exampleOf } from '@waybill/testbed';
import { deliveryMatchers } from '@waybill/testbed/vitest';
import { expect, test } from 'vitest';
import { sendWebhook } from './send-webhook.ts';

expect.extend(deliveryMatchers);

test('on real sockets the sender survives a reset and a slow answer', async () => {
  await using receiver = await createReceiver({ secret: 's3cret', script: 'reset:request,delay:200ms' });
  const sent = sendWebhook(`${receiver.url}/hook`, 's3cret', exampleOf('track', { event: 'Signed Up' }));
  const [first, second] = await receiver.waitFor({ type: 'track', count: 2, within: '5s' });
  expect(await sent).toBe(true);
  expect(second?.body).toEqual(first?.body);
  await expect(receiver).toBeSignedWith('s3cret');
});

test('a matcher says what is wrong with a sender', async () => {
  await using receiver = await createReceiver({ secret: 's3cret' });
  await sendWebhook(`${receiver.url}/hook`, 'S3CRET', exampleOf('page'));
  await expect(expect(receiver).toBeSignedWith('s3cret')).rejects.toThrow('has a signature that is not valid');
  expect(() => expect(receiver).toHaveDelivered()).toThrow('User-Agent Legacy/1.0.0; it is Waybill/ and a version');
});
