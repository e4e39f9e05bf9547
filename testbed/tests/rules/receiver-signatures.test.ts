import { expect, test } from 'vitest';
import { sign } from '../../../client/webhooks/signature.ts';
import { createReceiver } from '../../index.ts';
import type { Received } from '../../index.ts';
import { event, post } from '../support/posting.ts';
import { rawClient, requestText } from '../support/raw-client.ts';

const SECRET = 's3cret';
const BODY = event('track', { event: 'Größe gewählt ✓' });

async function verdictOn(secret: string | undefined, headers: Record<string, string>): Promise<Received['signature']> {
  await using receiver = await createReceiver(secret === undefined ? {} : { secret });
  await post(receiver.url, BODY, headers);
  return (await receiver.next()).signature;
}

test('HOOK-5: the right signature is valid', async () => {
  expect(await verdictOn(SECRET, { 'X-Signature': await sign(SECRET, BODY) })).toEqual({ verdict: 'valid' });
});

test('HOOK-5: the header is found in any case', async () => {
  expect(await verdictOn(SECRET, { 'x-sIGNATURE': await sign(SECRET, BODY) })).toEqual({ verdict: 'valid' });
});

test('HOOK-5: bytes that are no UTF-8 are verified as bytes', async () => {
  await using receiver = await createReceiver({ secret: SECRET });
  const body = Uint8Array.of(0xff, 0x00, 0xfe);
  await post(receiver.url, body, { 'X-Signature': await sign(SECRET, body) });
  expect((await receiver.next()).signature).toEqual({ verdict: 'valid' });
});

test('HOOK-5: a signature by another secret is invalid, both shown in part', async () => {
  const [expected, seen] = [await sign(SECRET, BODY), await sign('other', BODY)];
  expect(await verdictOn(SECRET, { 'X-Signature': seen })).toEqual({
    verdict: 'invalid',
    expected: expected.slice(0, 8),
    seen: seen.slice(0, 8),
    diagnosis: expect.stringContaining('a secret that is not known here'),
  });
});

test('HOOK-7: the signature of a body written again is invalid', async () => {
  const rewritten = JSON.stringify(JSON.parse(BODY), null, 2);
  expect(await verdictOn(SECRET, { 'X-Signature': await sign(SECRET, rewritten) })).toMatchObject({
    verdict: 'invalid',
  });
});

test('HOOK-5: two signatures in one request are invalid', async () => {
  await using receiver = await createReceiver({ secret: SECRET });
  using client = rawClient(receiver.url);
  const line = `X-Signature: ${await sign(SECRET, BODY)}`;
  client.send(requestText(BODY, [line, line]));
  expect((await receiver.next()).signature).toMatchObject({ verdict: 'invalid' });
});

test('HOOK-5: a missing signature is missing where a secret is set', async () => {
  expect(await verdictOn(SECRET, {})).toEqual({ verdict: 'missing' });
});

test('HOOK-6: without a secret no signature is expected', async () => {
  expect(await verdictOn(undefined, {})).toEqual({ verdict: 'not expected', signed: false });
});

test('HOOK-6: a signature that nobody expected is noticed', async () => {
  expect(await verdictOn(undefined, { 'X-Signature': 'abc' })).toEqual({ verdict: 'not expected', signed: true });
});

test('an invalid verdict never carries the secret', async () => {
  const verdict = await verdictOn(SECRET, { 'X-Signature': '0'.repeat(40) });
  expect(JSON.stringify(verdict)).not.toContain(SECRET);
});
