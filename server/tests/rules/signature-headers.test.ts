import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeaders, type Signing, webhookIdOf } from '../../delivery/signatures.ts';

const BODY = Buffer.from('{"a":"é"}', 'utf8');
/** The last millisecond of its second. */
const AT = 1_699_999_999_999;
const PREVIOUS = { secret: 'old', until: AT + 1 };

const sha1 = (secret: string): string => createHmac('sha1', secret).update(BODY).digest('hex');

/** As Standard Webhooks has it, for the message m1 in the second of `AT`. */
function standard(...secrets: readonly string[]): object {
  const signed = `m1.1699999999.${BODY.toString('utf8')}`;
  const signatures = secrets.map((one) => `v1,${createHmac('sha256', one).update(signed).digest('base64')}`);
  return { 'webhook-id': 'm1', 'webhook-timestamp': '1699999999', 'webhook-signature': signatures.join(' ') };
}

test.each<{ readonly signing: Signing; readonly headers: object }>([
  { signing: { sharedSecret: '' }, headers: {} },
  { signing: { sharedSecret: '', signature: 'both', previous: PREVIOUS }, headers: {} },
  { signing: { sharedSecret: 's' }, headers: { 'X-Signature': sha1('s') } },
  { signing: { sharedSecret: 's', signature: 'x-signature' }, headers: { 'X-Signature': sha1('s') } },
  { signing: { sharedSecret: 's', signature: 'standard-webhooks' }, headers: standard('s') },
  { signing: { sharedSecret: 's', signature: 'both' }, headers: { 'X-Signature': sha1('s'), ...standard('s') } },
  {
    signing: { sharedSecret: 's', previous: PREVIOUS },
    headers: { 'X-Signature': sha1('old'), 'X-Signature-Next': sha1('s') },
  },
  { signing: { sharedSecret: 's', signature: 'standard-webhooks', previous: PREVIOUS }, headers: standard('old', 's') },
  {
    signing: { sharedSecret: 's', signature: 'both', previous: PREVIOUS },
    headers: { 'X-Signature': sha1('old'), 'X-Signature-Next': sha1('s'), ...standard('old', 's') },
  },
  // Its time is over: the new one signs alone.
  {
    signing: { sharedSecret: 's', signature: 'both', previous: { ...PREVIOUS, until: AT } },
    headers: { 'X-Signature': sha1('s'), ...standard('s') },
  },
])('HOOK-5, HOOK-22, HOOK-23: with $signing a request has the headers $headers', ({ signing, headers }) => {
  expect(signatureHeaders(signing, { messageId: 'm1', at: AT, body: BODY })).toStrictEqual(headers);
});

test.each(['m1', 'A-z_09', 'x'.repeat(128)])('HOOK-22: the message id %s is the id of its webhook', (id) => {
  expect(webhookIdOf(id)).toBe(id);
});

test.each(['', 'x'.repeat(129), 'a.b', '.m1', 'm1.', 'm1\n', ' m1', 'é'])(
  'HOOK-22: of the message id %j a webhook has the digest',
  (id) => {
    expect(webhookIdOf(id)).toBe(`msg_${createHash('sha256').update(id).digest('base64url')}`);
  },
);
