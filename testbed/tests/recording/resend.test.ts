import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { signedRequest } from '../../schemes/index.ts';
import { event, post } from '../support/posting.ts';

const STRIPE = { scheme: 'stripe', secret: 'whsec_0123456789abcdef' } as const;

test('a request that is sent again is signed anew, as its endpoint expects', async () => {
  await using own = await createReceiver({ endpoints: { '/mine': STRIPE } });
  await using receiver = await createReceiver({ endpoints: { '/hooks': STRIPE, '/plain': {} } });
  const body = event('track');
  const { url, headers } = signedRequest({ ...STRIPE, url: `${receiver.url}/hooks`, body, at: 0 });
  await post(url, body, { ...headers });
  await post(`${receiver.url}/plain`, body, { 'X-Team': 'web' });
  const [old, plain] = receiver.received;
  if (old === undefined || plain === undefined) throw new Error('two should have come');
  expect(old.signature).toMatchObject({ verdict: 'invalid' });
  expect(await receiver.resend(old, `${own.url}/mine`)).toMatchObject({ answer: 200, isSigned: true });
  expect(own.received[0]).toMatchObject({ path: '/mine', signature: { verdict: 'valid' } });
  expect(Buffer.from(own.received[0]?.body ?? '').toString()).toBe(body);
  // Without a secret it goes as it came.
  expect(await receiver.resend(plain, own.url)).toMatchObject({ answer: 404, isSigned: false });
  expect(own.received[1]).toMatchObject({ path: '/plain' });
});

test('a public key signs nothing, and nobody who listens is an answer too', async () => {
  await using receiver = await createReceiver({ secret: `whpk_${Buffer.alloc(32, 1).toString('base64')}` });
  await using gone = await createReceiver();
  await gone.close();
  await post(receiver.url, event('track'));
  const [came] = receiver.received;
  if (came === undefined) throw new Error('one should have come');
  expect(receiver.endpoints[0]).toMatchObject({ isChecking: true, canSign: false });
  expect(await receiver.resend(came, gone.url)).toMatchObject({ answer: 'ECONNREFUSED', isSigned: false });
});
