import { sign as signGithub } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Stripe } from 'stripe';
import twilio from 'twilio';
import { expect, test } from 'vitest';
import { signedRequest } from '../../../testbed/schemes/index.ts';
import { type SenderName, type SenderRequest, verifySender } from '../../webhooks/index.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const URL_OF_HOOK = 'https://shop.example/hooks?shop=1';
const FORM = 'application/x-www-form-urlencoded';
const NAMES = ['stripe', 'github', 'slack', 'shopify', 'twilio'] as const satisfies readonly SenderName[];
const text = fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 200 });
const secret = fc.string({ minLength: 1, maxLength: 64 }).filter((one) => one.trim() !== '');

/** As the testbed's scheme makes it, which is held against the packages of the senders in tests of its own. */
function sentBy(name: SenderName, body: string, key: string) {
  const { url, headers } = signedRequest({ scheme: name, secret: key, url: URL_OF_HOOK, body, at: AT });
  return { sender: name, headers, body, url, now: AT };
}

test.each(NAMES)('%s: what was sent verifies, and nothing that differs from it', async (name) => {
  await fc.assert(
    fc.asyncProperty(text, secret, secret, async (body, key, other) => {
      const request = sentBy(name, body, key);
      expect(await verifySender({ ...request, secret: key })).toEqual({ valid: true });
      expect(await verifySender({ ...request, secret: [`${key}x`, key] })).toEqual({ valid: true });
      const mismatch = { valid: false, reason: 'mismatch' };
      expect(await verifySender({ ...request, body: `${body} `, secret: key })).toEqual(mismatch);
      fc.pre(other !== key);
      expect(await verifySender({ ...request, secret: other })).toEqual(mismatch);
    }),
    { numRuns: 100 },
  );
});

test('what the packages of senders sign verifies', async () => {
  const body = '{"id":"evt_1","type":"invoice.paid"}';
  const key = 'whsec_of_a_test';
  const stripe = new Stripe('sk_test_none');
  const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret: key, timestamp: AT / 1000 });
  const of = (sender: SenderName, headers: SenderRequest['headers'], more: Partial<SenderRequest> = {}) =>
    verifySender({ sender, headers, body, secret: key, now: AT, ...more });
  expect(await of('stripe', { 'stripe-signature': signature })).toEqual({ valid: true });
  expect(await of('github', new Headers({ 'x-hub-signature-256': await signGithub(key, body) }))).toEqual({
    valid: true,
  });
  const fields = { From: '+1', Body: 'ä b' };
  const form = twilio.getExpectedTwilioSignature(key, URL_OF_HOOK, fields);
  const headers = { 'x-twilio-signature': form, 'content-type': FORM };
  const sent = { body: new URLSearchParams(fields).toString(), url: URL_OF_HOOK };
  expect(await of('twilio', headers, sent)).toEqual({ valid: true });
  expect(await of('twilio', headers, { ...sent, url: `${URL_OF_HOOK}&a=b` })).toMatchObject({ reason: 'mismatch' });
});

test('a request says why it does not verify', async () => {
  const key = 'a secret';
  const { headers, ...request } = sentBy('slack', '{}', key);
  const of = (more: Partial<SenderRequest>) => verifySender({ ...request, headers, secret: key, ...more });
  expect(await of({ headers: {} })).toEqual({ valid: false, reason: 'missing' });
  expect(await of({ headers: { ...headers, 'X-Slack-Signature': 'v1=00' } })).toEqual({
    valid: false,
    reason: 'malformed',
  });
  expect(await of({ now: AT + 300_999 })).toEqual({ valid: true });
  expect(await of({ now: AT + 301_000 })).toEqual({ valid: false, reason: 'too old' });
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.toUpperCase()]));
  expect(
    await of({
      headers: {
        ...upper,
        'X-Slack-Signature': headers['X-Slack-Signature']?.replace(/[a-f]/g, (one) => one.toUpperCase()),
      },
    }),
  ).toEqual({
    valid: false,
    reason: 'mismatch',
  });
});

test('a sender that has no name here is verified by the form of its header', async () => {
  const sender = { header: 'X-Acme-Signature', algorithm: 'SHA-512', encoding: 'base64', prefix: 'v=' } as const;
  const body = new TextEncoder().encode('{"a":1}');
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode('s'),
    { name: 'HMAC', hash: 'SHA-512' },
    false,
    ['sign'],
  );
  const digest = Buffer.from(await crypto.subtle.sign('HMAC', key, body)).toString('base64');
  const headers = { 'x-acme-signature': [`v=${digest}`] };
  expect(await verifySender({ sender, headers, body, secret: 's' })).toEqual({ valid: true });
});

test('what can verify nothing is refused with the way out', async () => {
  const request = { headers: {}, body: '', secret: 's' } as const;
  // @ts-expect-error -- of a caller in JavaScript
  await expect(verifySender({ ...request, sender: 'strip' })).rejects.toThrow(
    'The sender is "strip"; give one of stripe, github',
  );
  await expect(verifySender({ ...request, sender: 'github', secret: '' })).rejects.toThrow('The secret is empty');
  await expect(verifySender({ ...request, sender: 'github', secret: [] })).rejects.toThrow('The secret is empty');
  await expect(verifySender({ ...request, sender: 'twilio' })).rejects.toThrow('give the whole URL that it calls');
});
