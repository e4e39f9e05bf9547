import { request } from 'node:http';
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NockEndpoint } from '../../nock/index.ts';
import { SCHEMES, type SignedRequest, signedRequest } from '../../schemes/index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';

expect.extend(deliveryMatchers);
beforeAll(() => nock.disableNetConnect());
afterAll(() => nock.restore());

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = { id: 'evt_1', type: 'invoice.paid', amount: 4_200 };
const URL_OF_ENDPOINT = 'http://shop.example/hooks';

/** As senders post that use node:http. */
async function post({ url, method, headers, body }: SignedRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    outgoing.once('error', reject).end(body);
  });
}

test.each(Object.values(SCHEMES))(
  'an endpoint of nock checks what $name signs, over fetch and node:http',
  async (scheme) => {
    using endpoint = new NockEndpoint({ url: URL_OF_ENDPOINT, secret: SECRET, scheme, script: '503,200' });
    const signed = signedRequest({ scheme, secret: SECRET, url: URL_OF_ENDPOINT, body: BODY });
    const statuses = [(await fetch(signed.url, signed)).status, await post(signed)];
    expect(statuses).toEqual([503, 200]);
    expect(endpoint.received.map(({ signature, scheme: of }) => [signature.verdict, of.name])).toEqual([
      ['valid', scheme.name],
      ['valid', scheme.name],
    ]);
    await expect(endpoint).toBeSignedWith(SECRET);
    const altered = { ...signed, body: Buffer.from('{"id":"evt_1","amount":1}') };
    await post(altered);
    expect(endpoint.received.at(-1)?.signature.verdict).toBe('invalid');
    await expect(endpoint).not.toBeSignedWith(SECRET);
  },
);

test('the bytes of a body reach the check untouched by nock, JSON or not', async () => {
  using endpoint = new NockEndpoint({ url: URL_OF_ENDPOINT, secret: SECRET, scheme: 'github' });
  const bodies = ['{ "a":1.0,\n "b":"\\u00e9" }', Uint8Array.of(0xff, 0x00, 0xfe), 'payload=%7B%7D&a=1', ''];
  for (const body of bodies) {
    const signed = signedRequest({ scheme: 'github', secret: SECRET, url: URL_OF_ENDPOINT, body });
    await post(signed);
    await fetch(signed.url, signed);
  }
  expect(endpoint.received.map(({ signature }) => signature.verdict)).toEqual(bodies.flatMap(() => ['valid', 'valid']));
});

test('an endpoint of nock says whose signature came in place of the expected one', async () => {
  using endpoint = new NockEndpoint({ url: URL_OF_ENDPOINT, secret: SECRET, scheme: 'github' });
  await post(signedRequest({ scheme: 'stripe', secret: SECRET, url: URL_OF_ENDPOINT, body: BODY }));
  expect(endpoint.received[0]?.signature).toMatchObject({
    verdict: 'missing',
    diagnosis: 'Stripe-Signature came: this is how Stripe signs; give the scheme stripe',
  });
});
