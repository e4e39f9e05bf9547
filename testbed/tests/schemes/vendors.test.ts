import { createHmac } from 'node:crypto';
import { sign as signGithub, verify as verifyGithub } from '@octokit/webhooks-methods';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
// oxlint-disable-next-line import/no-unassigned-import -- it tells the package which runtime this is
import '@shopify/shopify-api/adapters/web-api';
import { createSHA256HMAC, HashFormat } from '@shopify/shopify-api/runtime';
import { isValidSlackRequest } from '@slack/bolt';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import twilio from 'twilio';
import { describe, expect, test } from 'vitest';
import { custom, type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';
import { RUNS } from '../support/scheme-runs.ts';
import { CODE_POINT } from '../support/code-point.ts';

/** Now, for packages that look at the clock themselves. */
const AT = Date.now();
const URL_OF_HOOK = 'https://shop.example/hooks?shop=1';
const FORM = 'application/x-www-form-urlencoded';

/** How others make and check the signature of a scheme. */
interface Vendor {
  readonly scheme: Scheme;
  readonly secret: fc.Arbitrary<string>;
  readonly contentType?: string;
  readonly body?: fc.Arbitrary<string>;
  /** The headers that the vendor makes. */
  readonly signs: (body: string, secret: string, url: string) => Promise<Record<string, string>>;
  /** Whether the vendor takes what the kit made. */
  readonly takes: (request: Sent, secret: string) => Promise<boolean>;
}

interface Sent {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Some vendors refuse an empty body. */
const text = fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 200 });
/** Some refuse white space alone. */
const secret = fc.string({ minLength: 1, maxLength: 64 }).filter((one) => one.trim() !== '');
const standardSecret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const stripe = new Stripe('sk_test_none');
const VERSION = { 'X-Shopify-API-Version': '2026-01', 'X-Shopify-Webhook-Id': 'w1' };

function shopifyWith(apiSecretKey: string) {
  return shopifyApi({
    apiKey: 'k',
    apiSecretKey,
    hostName: 'shop.example',
    isEmbeddedApp: false,
    apiVersion: ApiVersion.January26,
    logger: { log: () => undefined },
  });
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  'stripe, by its package': {
    scheme: SCHEMES.stripe,
    secret,
    signs: async (payload, key) => ({
      'Stripe-Signature': stripe.webhooks.generateTestHeaderString({
        payload,
        secret: key,
        timestamp: Math.floor(AT / 1000),
      }),
    }),
    takes: async ({ body, headers }, key) =>
      stripe.webhooks.signature?.verifyHeader(body, headers['Stripe-Signature'] ?? '', key, 300) ?? false,
  },
  'github, by octokit': {
    scheme: SCHEMES.github,
    secret,
    signs: async (body, key) => ({ 'X-Hub-Signature-256': await signGithub(key, body) }),
    takes: ({ body, headers }, key) => verifyGithub(key, body, headers['X-Hub-Signature-256'] ?? ''),
  },
  'twilio, a form, by its package': {
    scheme: SCHEMES.twilio,
    secret,
    contentType: FORM,
    body: fc
      .array(
        fc.tuple(fc.constantFrom('From', 'To', 'Body', 'MediaUrl0', 'a b', 'ä', 'Z'), fc.string({ unit: 'grapheme' })),
      )
      .map((fields) => new URLSearchParams(fields).toString()),
    signs: async (body, key, url) => ({
      'X-Twilio-Signature': twilio.getExpectedTwilioSignature(key, url, fieldsOf(body)),
    }),
    takes: async ({ url, body, headers }, key) =>
      twilio.validateRequest(key, headers['X-Twilio-Signature'] ?? '', url, fieldsOf(body)),
  },
  'twilio, JSON, by its package': {
    scheme: SCHEMES.twilio,
    secret,
    signs: async (body, key, url) => ({
      'X-Twilio-Signature': twilio.getExpectedTwilioSignature(key, withHash(url, body), {}),
    }),
    takes: async ({ url, body, headers }, key) =>
      twilio.validateRequestWithBody(key, headers['X-Twilio-Signature'] ?? '', url, body),
  },
  'standard webhooks, by its package': {
    scheme: SCHEMES['standard-webhooks'],
    secret: standardSecret,
    body: fc.json(),
    signs: async (body, key) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(AT / 1000)),
      'webhook-signature': new StandardWebhook(key).sign('msg_1', new Date(AT), body),
    }),
    takes: async ({ body, headers }, key) => new StandardWebhook(key).verify(body, headers) !== undefined,
  },
  'standard webhooks, by svix, with its own names of headers': {
    scheme: SCHEMES['standard-webhooks'],
    secret: standardSecret,
    signs: async (body, key) => ({
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(AT / 1000)),
      'svix-signature': new SvixWebhook(key).sign('msg_1', new Date(AT), body),
    }),
    takes: async ({ body, headers }, key) => new SvixWebhook(key).verify(body, headers) === undefined,
  },
  // It has nothing that signs.
  'slack, by bolt': {
    scheme: SCHEMES.slack,
    secret,
    signs: async (body, key) => {
      const seconds = Math.floor(AT / 1000);
      const digest = createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex');
      return { 'X-Slack-Request-Timestamp': String(seconds), 'X-Slack-Signature': `v0=${digest}` };
    },
    takes: async ({ body, headers }, signingSecret) =>
      isValidSlackRequest({
        signingSecret,
        body,
        headers: {
          'x-slack-signature': headers['X-Slack-Signature'] ?? '',
          'x-slack-request-timestamp': Number(headers['X-Slack-Request-Timestamp']),
        },
        nowMilliseconds: AT,
      }),
  },
  'shopify, by its package': {
    scheme: SCHEMES.shopify,
    secret,
    signs: async (body, key) => ({ 'X-Shopify-Hmac-Sha256': await createSHA256HMAC(key, body, HashFormat.Base64) }),
    takes: async ({ url, body, headers }, apiSecretKey) => {
      const event = { 'X-Shopify-Topic': 'a/b', 'X-Shopify-Shop-Domain': 'a.myshopify.com', ...VERSION, ...headers };
      const rawRequest = new Request(url, { method: 'POST', headers: event });
      return (await shopifyWith(apiSecretKey).webhooks.validate({ rawBody: body, rawRequest })).valid;
    },
  },
};

function fieldsOf(body: string): Record<string, string | string[]> {
  const fields = new URLSearchParams(body);
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
}

function otherThan(key: string): string {
  return key.startsWith('whsec_') ? `whsec_${Buffer.from('another secret of the test').toString('base64')}` : `${key}x`;
}

function signatureIn(headers: Readonly<Record<string, string>>, { headers: names }: Scheme): string | undefined {
  return names.find((name) => name in headers);
}

function withHash(url: string, body: string): string {
  return `${url}&bodySHA256=${twilio.getExpectedBodyHash(body)}`;
}

describe.each(Object.entries(VENDORS))(
  '%s',
  (_name, { scheme, secret: secrets, contentType, body = text, signs, takes }) => {
    const headers = { 'Content-Type': contentType ?? 'application/json' };

    test('what the kit signs is valid there', async () => {
      await fc.assert(
        fc.asyncProperty(body, secrets, async (sent, key) => {
          const request = signedRequest({
            scheme,
            secret: key,
            url: URL_OF_HOOK,
            body: sent,
            headers,
            at: AT,
            id: 'msg_1',
          });
          const made = { url: request.url, headers: request.headers, body: sent };
          expect(await takes(made, key)).toBe(true);
          expect(await takes(made, otherThan(key)).catch(() => false)).toBe(false);
        }),
        { numRuns: RUNS },
      );
    });

    test.runIf(scheme.signBoth !== undefined)(
      'what the kit signs with two secrets is valid there with either',
      async () => {
        await fc.assert(
          fc.asyncProperty(body, secrets, async (sent, key) => {
            const next = otherThan(key);
            const request = signedRequest({
              scheme,
              secret: next,
              previous: key,
              url: URL_OF_HOOK,
              body: sent,
              headers,
              at: AT,
              id: 'msg_1',
            });
            const made = { url: request.url, headers: request.headers, body: sent };
            expect([await takes(made, key), await takes(made, next)]).toEqual([true, true]);
          }),
          { numRuns: RUNS },
        );
      },
    );

    test('what is signed there is valid in the kit, and with another secret or body it is not', async () => {
      await fc.assert(
        fc.asyncProperty(body, secrets, async (sent, key) => {
          const made = { ...headers, ...(await signs(sent, key, URL_OF_HOOK)), Host: 'shop.example' };
          const { pathname, search } = new URL(
            contentType === FORM || scheme.name !== 'twilio' ? URL_OF_HOOK : withHash(URL_OF_HOOK, sent),
          );
          const arrived = { at: AT, path: pathname + search, headers: Object.entries(made), body: Buffer.from(sent) };
          expect(await scheme.check(arrived, key)).toBe('valid');
          expect(await scheme.check(arrived, otherThan(key))).toMatchObject({ header: signatureIn(made, scheme) });
          expect(await scheme.check({ ...arrived, body: Buffer.from(`${sent}&x=1`) }, key)).not.toBe('valid');
        }),
        { numRuns: RUNS },
      );
    });
  },
);

test('a scheme of one’s own: header, algorithm, encoding, prefix, timestamp and what is signed', async () => {
  const scheme = custom({
    header: 'X-Acme',
    algorithm: 'SHA-512',
    encoding: 'base64',
    prefix: 'acme ',
    timestamp: { header: 'X-Acme-Time', toleranceSeconds: 60 },
    payload: ({ body, timestamp }) => `${timestamp}|${Buffer.from(body).toString('utf8')}`,
  });
  const at = 1_700_000_000_000;
  const { headers } = signedRequest({ scheme, secret: 'k', url: 'http://a.test', body: { a: 1 }, at });
  const expected = createHmac('sha512', 'k').update('1700000000|{"a":1}').digest('base64');
  expect(headers).toMatchObject({ 'X-Acme': `acme ${expected}`, 'X-Acme-Time': '1700000000' });
});

test.each(Object.values<Scheme>(SCHEMES).filter((scheme) => scheme.signBoth === undefined))(
  'with two secrets $title never signs, and the request is refused',
  (scheme) => {
    const sign = () => signedRequest({ scheme, secret: 'k', previous: 'j', url: URL_OF_HOOK, body: {} });
    expect(sign).toThrow(`${scheme.title} signs with one secret at a time; leave it out`);
  },
);
