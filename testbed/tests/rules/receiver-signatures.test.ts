import { expect, test } from 'vitest';
import { sign } from '../../../client/webhooks/signature.ts';
import { auditSignatures } from '../../audit/index.ts';
import { signatureNotes } from '../../command-line/signature-text.ts';
import { createReceiver } from '../../index.ts';
import { webhookRequest, type WebhookRequestOptions } from '../../contract/webhook-request.ts';
import type { Received } from '../../index.ts';
import { BODIES } from '../../../client/tests/support/webhooks-bodies.ts';
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

test('what stands in the place of a signature moves nothing in a terminal', async () => {
  const [note] = signatureNotes(await verdictOn(SECRET, { 'X-Signature': '\u009b2J' }));
  expect(note).toMatch(/^X-Signature: expected [0-9a-f]+…, got \\x9b2J…$/);
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
    header: 'X-Signature',
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
  expect(await verdictOn(SECRET, {})).toEqual({ verdict: 'missing', header: 'X-Signature or webhook-signature' });
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

const STANDARD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

/** What the router sends, as a receiver with this secret judges it, and as the matcher does. */
async function judged(options: WebhookRequestOptions, secret: string, changed: Record<string, string> = {}) {
  const { headers, body } = webhookRequest(BODIES.track, options);
  await using receiver = await createReceiver({ secret });
  const request = { method: 'POST', headers: { ...headers, ...changed }, body };
  await (await fetch(receiver.url, request)).text();
  const { signature } = await receiver.next();
  return { signature, violations: await auditSignatures(receiver.received, secret) };
}

test.each(['x-signature', 'standard-webhooks', 'both'] as const)(
  'HOOK-22, HOOK-23: what the router signs with %s is valid, during a rotation with either secret',
  async (signature) => {
    for (const secret of [STANDARD, NEXT]) {
      const { violations, ...judgement } = await judged({ secret: NEXT, previousSecret: STANDARD, signature }, secret);
      expect([judgement.signature, violations]).toEqual([{ verdict: 'valid' }, []]);
    }
  },
);

test.each<[string, WebhookRequestOptions, Record<string, string>, string]>([
  ['another secret', { secret: NEXT, signature: 'standard-webhooks' }, {}, 'a secret that is not known here'],
  ['an old time', { secret: STANDARD, signature: 'standard-webhooks', at: 0 }, {}, 'webhook-timestamp is too long ago'],
  ['another id', { secret: STANDARD, signature: 'both' }, { 'webhook-id': 'm2' }, 'altered on its way'],
  ['a wrong digest', { secret: STANDARD, signature: 'both' }, { 'webhook-signature': 'v1,AAAA' }, 'altered on its way'],
  ['a wrong X-Signature', { secret: STANDARD, signature: 'both' }, { 'X-Signature': '0'.repeat(40) }, 'not known here'],
])('HOOK-22: a request with %s is invalid, and the matcher complains', async (_what, options, changed, why) => {
  const { signature, violations } = await judged(options, STANDARD, changed);
  expect(signature).toMatchObject({ verdict: 'invalid', diagnosis: expect.stringContaining(why) });
  expect(violations).toMatchObject([{ rule: 'signature', words: expect.stringContaining(why) }]);
  expect(JSON.stringify([signature, violations])).not.toContain(STANDARD.slice(6, 30));
});

test('HOOK-22: a receiver that was given a private key says which one it needs', async () => {
  const secret = `whsk_${Buffer.alloc(32, 3).toString('base64')}`;
  const { signature } = await judged({ secret, signature: 'standard-webhooks' }, secret);
  expect(signature).toMatchObject({ verdict: 'invalid', diagnosis: expect.stringContaining('give the public one') });
});

test('HOOK-6: a standard signature that nobody expected is noticed', async () => {
  const headers = { 'webhook-id': 'm1', 'webhook-signature': 'v1,AAAA' };
  expect(await verdictOn(undefined, headers)).toEqual({ verdict: 'not expected', signed: true });
});
