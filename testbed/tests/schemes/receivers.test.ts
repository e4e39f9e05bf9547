import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import { MswEndpoint } from '../../msw/index.ts';
import { SCHEMES, signedRequest } from '../../schemes/index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';

expect.extend(deliveryMatchers);

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = { id: 'evt_1', amount: 4_200 };

test.each(Object.values(SCHEMES))('a receiver checks what $name signs, and matchers do', async (scheme) => {
  await using receiver = await createReceiver({ secret: SECRET, scheme });
  const request = signedRequest({ scheme, secret: SECRET, url: `${receiver.url}/hooks`, body: BODY });
  await fetch(request.url, request);
  await fetch(request.url, { ...request, body: '{"id":"evt_1","amount":1}' });
  const verdicts = receiver.received.map(({ signature }) => signature.verdict);
  expect(verdicts).toEqual(['valid', 'invalid']);
  await expect(receiver.received.slice(0, 1)).toBeSignedWith(SECRET, { scheme });
  await expect(receiver).not.toBeSignedWith(SECRET, { scheme });
});

test('an endpoint of its own has a scheme of its own, also in MSW', async () => {
  await using receiver = await createReceiver({ endpoints: { '/stripe': { secret: SECRET, scheme: 'stripe' } } });
  using endpoint = new MswEndpoint({ url: 'https://shop.example/hooks', secret: SECRET, scheme: 'github' });
  const server = setupServer(...endpoint.handlers);
  server.listen({ onUnhandledFrame: 'bypass' });
  try {
    const sent = { scheme: 'stripe', secret: SECRET, url: `${receiver.url}/stripe`, body: BODY } as const;
    for (const one of [sent, { ...sent, scheme: 'github', url: endpoint.url } as const]) {
      const request = signedRequest(one);
      await fetch(request.url, request);
    }
  } finally {
    server.close();
  }
  const received = [...receiver.received, ...endpoint.received];
  expect(received.map(({ signature }) => signature.verdict)).toEqual(['valid', 'valid']);
});

test('a request that is signed as another sender signs says whose signature it is', async () => {
  await using receiver = await createReceiver({ secret: SECRET });
  const right = signedRequest({ scheme: 'stripe', secret: SECRET, url: receiver.url, body: BODY });
  const wrong = signedRequest({ scheme: 'stripe', secret: SECRET.slice(6), url: receiver.url, body: BODY });
  for (const request of [right, wrong]) await fetch(request.url, request);
  const whose = 'Stripe-Signature came: this is how Stripe signs; give the scheme stripe';
  expect(receiver.received.map(({ signature }) => signature)).toEqual([
    { verdict: 'missing', header: 'X-Signature or webhook-signature', diagnosis: whose },
    expect.objectContaining({
      diagnosis: `${whose}. And the secret was used without its whsec_; use its text as it stands`,
    }),
  ]);
});

test('a scheme that is none is refused, with the one that was meant', async () => {
  // @ts-expect-error: a typing error, which plain JavaScript does not find
  const made = createReceiver({ secret: SECRET, scheme: 'strip' });
  await expect(made).rejects.toThrow('The option scheme is "strip"; did you mean stripe?');
});

test('types are waited for, and attempts are counted, where the scheme has them', async () => {
  await using receiver = await createReceiver({ secret: SECRET, scheme: 'github' });
  for (const id of ['d1', 'd1', 'd2']) {
    const headers = { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': id };
    const request = signedRequest({ scheme: 'github', secret: SECRET, url: receiver.url, body: BODY, headers });
    await fetch(request.url, request);
  }
  const pushes = await receiver.waitFor({ type: 'push', count: 3 });
  expect(pushes.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
});
