/**
 * Requests and signatures that vendors publish, in their documentation and with their own packages; the values alone. Shopify's
 * is of the tests of its package for PHP, those of Stripe are of the tests of its package for Node: it publishes digests, and no
 * header that could be verified.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { custom, type Scheme, SCHEMES } from '../../schemes/index.ts';

interface Vector {
  readonly scheme: Scheme;
  readonly secret: string;
  /** With the seconds since 1970, where the sender says when it was. */
  readonly at?: number;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SLACK_TIME = 1_531_420_618;
const SVIX_TIME = 1_614_265_330;
const SVIX_SIGNED = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': String(SVIX_TIME) };
const SVIX_BODY = '{"test": 2432232314}';
const TWILIO_PATH = '/myapp.php?foo=1&bar=2';
const TWILIO_BODY = '{"property": "value", "boolean": true}';
const TWILIO_HASH = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620';

/** The seed of a private key that the package of Standard Webhooks for Go signs with in its tests. */
const GO_SEED = 'VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=';

/** What Stripe's scheme puts behind `v1=`, of bytes that have no timestamp. */
const STRIPE_DIGEST = custom({ header: 'X-Digest', algorithm: 'SHA-256', encoding: 'hex' });

function stripeDigest(body: string, digest: string): Vector {
  return { scheme: STRIPE_DIGEST, secret: 'test_secret', headers: { 'X-Digest': digest }, body };
}

const VECTORS: Readonly<Record<string, Vector>> = {
  'github, a body': {
    scheme: SCHEMES.github,
    secret: "It's a Secret to Everybody",
    headers: {
      'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
  },
  'slack, a command': {
    scheme: SCHEMES.slack,
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    at: SLACK_TIME,
    headers: {
      'X-Slack-Request-Timestamp': String(SLACK_TIME),
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  },
  'standard webhooks, HMAC': {
    scheme: SCHEMES['standard-webhooks'],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    at: SVIX_TIME,
    headers: { ...SVIX_SIGNED, 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' },
    body: SVIX_BODY,
  },
  'standard webhooks, Ed25519': {
    scheme: SCHEMES['standard-webhooks'],
    secret: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    at: SVIX_TIME,
    headers: {
      ...SVIX_SIGNED,
      'webhook-signature':
        'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    },
    body: SVIX_BODY,
  },
  'standard webhooks, Ed25519, by the package for Go': {
    scheme: SCHEMES['standard-webhooks'],
    secret: `whpk_${publicKeyOf(GO_SEED)}`,
    at: SVIX_TIME,
    headers: {
      ...SVIX_SIGNED,
      'webhook-signature':
        'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
    },
    body: SVIX_BODY,
  },
  'shopify, a product': {
    scheme: SCHEMES.shopify,
    secret: 'steffi',
    headers: { 'X-Shopify-Hmac-Sha256': '/Redz4YXHLnSmmSN8grr5/Jl/Ua3d7yX3iWbjb8R8wo=' },
    body: '{"foo":"bar"}',
  },
  'stripe, the digest of nothing': stripeDigest('', 'f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd'),
  'stripe, the digest of JSON': stripeDigest(
    '{"obj1":"hello","obj2":"world"}',
    'bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363',
  ),
  'stripe, the digest of a character beyond 16 bits': stripeDigest(
    '\u{1f600}',
    '837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43',
  ),
  'twilio, a form': {
    scheme: SCHEMES.twilio,
    secret: '12345',
    path: TWILIO_PATH,
    headers: twilioForm('RSOYDt4T1cUTdK1PDd93/VVr8B8='),
    body: 'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
  },
  'twilio, a form with a field that comes several times': {
    scheme: SCHEMES.twilio,
    secret: '12345',
    path: TWILIO_PATH,
    headers: twilioForm('IK+Dwps556ElfBT0I3Rgjkr1wJU='),
    body: 'Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234',
  },
  'twilio, JSON': {
    scheme: SCHEMES.twilio,
    secret: '12345',
    path: `${TWILIO_PATH}&bodySHA256=${TWILIO_HASH}`,
    headers: {
      Host: 'mycompany.com',
      'Content-Type': 'application/json',
      'X-Twilio-Signature': 'a9nBmqA0ju/hNViExpshrM61xv4=',
    },
    body: TWILIO_BODY,
  },
};

function twilioForm(signature: string): Record<string, string> {
  const type = 'application/x-www-form-urlencoded; charset=UTF-8';
  return { Host: 'mycompany.com', 'Content-Type': type, 'X-Twilio-Signature': signature };
}

/** RFC 8410: 32 bytes of a seed behind these are a private key. */
function publicKeyOf(seed: string): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'base64')]);
  const { x = '' } = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({
    format: 'jwk',
  });
  return Buffer.from(x, 'base64url').toString('base64');
}

test.each(Object.entries(VECTORS))('%s: what is published is valid, and no other body', async (_name, vector) => {
  const { scheme, secret, at = 1_700_000_000, path = '/', headers, body } = vector;
  const arrived = { at: at * 1000, path, headers: Object.entries(headers) };
  expect(await scheme.check({ ...arrived, body: Buffer.from(body) }, secret)).toBe('valid');
  expect(await scheme.check({ ...arrived, body: Buffer.from(`${body}&x=1`) }, secret)).not.toBe('valid');
});

test.each([
  [
    'standard webhooks, Ed25519',
    'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  ],
  ['standard webhooks, Ed25519, by the package for Go', `whsk_${GO_SEED}`],
])('%s: the kit makes the signature that is published', (name, secret) => {
  const { headers } = SCHEMES['standard-webhooks'].sign(
    {
      url: 'https://a.test/',
      body: Buffer.from(SVIX_BODY),
      contentType: 'application/json',
      at: SVIX_TIME * 1000,
      id: SVIX_SIGNED['webhook-id'],
    },
    secret,
  );
  expect(headers).toEqual(VECTORS[name]?.headers);
});
