import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect, test } from 'vitest';
import { signatureHeaders, signatureOf, type SignatureSetting, webhookIdOf } from '../../delivery/signatures.ts';
import { newSharedSecret, publicKeyOf, standardKey } from '../../model/shared-secret.ts';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';
import { startEngine, targetOf } from '../support/engine.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const HOOKS = { name: 'hooks', value: [{ hook: 'https://a.test/hook' }] };
const SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const OTHER = newSharedSecret('hmac-sha256');
const PRIVATE = newSharedSecret('ed25519');
const HOUR = 3_600_000;

const anySecret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const anyBody = fc.jsonValue({ stringUnit: 'binary' }).map((value) => Buffer.from(JSON.stringify({ value }), 'utf8'));
const anyId = fc.oneof(fc.uuid(), fc.string({ unit: CODE_POINT }), fc.constantFrom('a.b', '', 'é', 'x'.repeat(200)));

/** The keys of a destination in the way of the standard. */
function standard(sharedSecret: string) {
  return { sharedSecret, signature: 'standard-webhooks' } as const;
}

test('HOOK-22: the official libraries verify every signature, of any secret, id and body', () => {
  fc.assert(
    fc.property(anySecret, anyId, anyBody, (secret, messageId, body) => {
      const headers = signatureHeaders(standard(secret), { messageId, at: Date.now(), body });
      const parsed: unknown = JSON.parse(body.toString('utf8'));
      expect(new Webhook(secret).verify(body, headers)).toEqual(parsed);
      // As svix has it, with the headers of the standard.
      expect(() => new SvixWebhook(secret).verify(body.toString('utf8'), headers)).not.toThrow();
    }),
    { numRuns: 300 },
  );
});

test('HOOK-22: the official libraries refuse what was signed with another secret', () => {
  const body = Buffer.from('{}');
  const headers = signatureHeaders(standard(OTHER), { messageId: 'm1', at: Date.now(), body });
  expect(() => new Webhook(SECRET).verify(body, headers)).toThrow('No matching signature');
  expect(() => new SvixWebhook(SECRET).verify(body.toString('utf8'), headers)).toThrow('No matching signature');
});

test('HOOK-22: a secret in no form of the standard is the key itself', () => {
  const body = Buffer.from('{}');
  const headers = signatureHeaders(standard('a-long-secret'), { messageId: 'm1', at: Date.now(), body });
  expect(new Webhook('a-long-secret', { format: 'raw' }).verify(body, headers)).toEqual({});
});

test('HOOK-22: what the documentation of the standard shows is what is sent', () => {
  const body = Buffer.from('{"test": 2432232314}');
  const request = { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body };
  expect(signatureHeaders(standard('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), request)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each([
  ['webhook-id', 'm2'],
  ['webhook-timestamp', String(Math.floor(Date.now() / 1000) - 1)],
])('HOOK-22: a changed %s is noticed', (name, changed) => {
  const body = Buffer.from('{}');
  const headers = signatureHeaders(standard(SECRET), { messageId: 'm1', at: Date.now(), body });
  expect(() => new Webhook(SECRET).verify(body, { ...headers, [name]: changed })).toThrow('No matching signature');
});

test('HOOK-22: an id that a sender chose cannot shift what is signed, and is the same at each attempt', () => {
  fc.assert(
    fc.property(anyId, anyId, (one, other) => {
      expect(webhookIdOf(one)).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      expect(webhookIdOf(one)).toBe(webhookIdOf(one));
      expect(webhookIdOf(one) === webhookIdOf(other)).toBe(one === other);
    }),
  );
});

test('HOOK-22: every retry has the same id, and the time of its own attempt', async () => {
  const target = { ...targetOf('https://a.test/hook'), ...standard(SECRET) };
  const { clock, transport, send } = await startEngine(() => answers(503), { target });
  await send({ messageId: 'm-1' });
  await clock.advance(HOUR);
  expect(transport.posts.length).toBeGreaterThan(5);
  for (const { at, request } of transport.posts) {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    expect([id, timestamp]).toEqual(['m-1', String(Math.floor(at / 1000))]);
    expect(signature).toBe(new Webhook(SECRET).sign(id, new Date(at), Buffer.from(request.body)));
    expect(request.headers).not.toHaveProperty('X-Signature');
  }
});

test('HOOK-22: with Ed25519 the receiver needs nothing but the public key that the API shows', async () => {
  const api = await startConfigApi();
  const config = [HOOKS, { name: 'sharedSecret', value: PRIVATE }, { name: 'signature', value: 'standard-webhooks' }];
  const name = await withWebhooks(api, { enabled: true, config });
  const { public_keys: keys } = await api.ok('GET', `/${name}`);
  expect(keys).toEqual([publicKeyOf(keyIn(PRIVATE))]);
  const body = Buffer.from('{"a":1}');
  const headers = signatureHeaders(standard(PRIVATE), { messageId: 'm1', at: 1_614_265_330_000, body });
  const [version = '', signature = ''] = headers['webhook-signature']?.split(',') ?? [];
  const x = Buffer.from(String(keys).slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from('m1.1614265330.{"a":1}');
  expect([version, verify(null, signed, key, Buffer.from(signature, 'base64'))]).toEqual(['v1a', true]);
});

function keyIn(secret: string) {
  const { algorithm, key } = standardKey(secret);
  if (algorithm !== 'ed25519') throw new Error('no key pair');
  return key;
}

test.each<[SignatureSetting | undefined, string[]]>([
  [undefined, ['X-Signature']],
  ['x-signature', ['X-Signature']],
  ['standard-webhooks', ['webhook-id', 'webhook-timestamp', 'webhook-signature']],
  ['both', ['X-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']],
])('HOOK-22: with the setting signature %s a request has the headers %j', async (signature, names) => {
  const api = await startConfigApi();
  const setting = signature === undefined ? [] : [{ name: 'signature', value: signature }];
  const config = [HOOKS, { name: 'sharedSecret', value: SECRET }, ...setting];
  const name = await withWebhooks(api, { enabled: true, config });
  const body = Buffer.from('{}');
  const target = api.directory.target(name);
  const headers = target === undefined ? {} : signatureHeaders(target, { messageId: 'm1', at: Date.now(), body });
  expect(Object.keys(headers)).toEqual(names);
  // The text as it stands is the key: a receiver of before reads the same header.
  const hex = names.includes('X-Signature') ? signatureOf(SECRET, body) : undefined;
  expect(headers['X-Signature']).toBe(hex);
});

test('HOOK-22: who sets nothing sees nothing new', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api, { enabled: true, config: [HOOKS, { name: 'sharedSecret', value: 'old' }] });
  const { config, ...fields } = await api.ok('GET', `/${name}`);
  expect(Object.keys(fields).toSorted()).toEqual(
    [
      'name',
      'parent',
      'display_name',
      'enabled',
      'connection_mode',
      'create_time',
      'update_time',
      'deliverable',
    ].toSorted(),
  );
  expect(JSON.stringify(config)).not.toContain('ignature"');
});

const long = `whsec_${Buffer.alloc(65).toString('base64')}`;
const mixedUp = `whsk_${Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]).toString('base64')}`;

test.each([
  ['sometimes', SECRET, 'destination.config[1].value must be one of x-signature, standard-webhooks, both'],
  ['standard-webhooks', '', 'there is no secret to sign with: set sharedSecret with it'],
  ['both', 'whsec_!', 'must hold base64 behind whsec_'],
  ['both', 'whsec_YQ==', 'must hold 24 to 64 bytes, got 1'],
  ['both', long, 'must hold 24 to 64 bytes, got 65'],
  ['both', PRIVATE, 'is both, and X-Signature cannot be made with Ed25519: use standard-webhooks'],
  ['standard-webhooks', 'whsk_YQ==', 'must hold 32 or 64 bytes in base64 behind whsk_'],
  ['standard-webhooks', mixedUp, 'its two halves do not belong together'],
  ['standard-webhooks', `whpk_${Buffer.alloc(32).toString('base64')}`, 'is a public key (whpk_)'],
])(
  'HOOK-22: what the setting signature %s cannot sign with is refused, without the secret in the error: %#',
  async (signature, secret, why) => {
    const api = await startConfigApi();
    const name = await withWebhooks(api, { enabled: true, config: [HOOKS] });
    const config = [
      { name: 'sharedSecret', value: secret },
      { name: 'signature', value: signature },
    ];
    const body = { destination: { config }, update_mask: { paths: ['destination.config'] } };
    const answer = await api.call('PATCH', `/${name}`, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(why) } });
    const told = JSON.stringify(answer.body);
    expect(secret.length > 10 && told.includes(secret.slice(6, 16))).toBe(false);
  },
);

test('HOOK-22: a token that may only read sees how requests are signed, and not with what', async () => {
  const api = await startConfigApi();
  const config = [HOOKS, { name: 'sharedSecret', value: PRIVATE }, { name: 'signature', value: 'standard-webhooks' }];
  const name = await withWebhooks(api, { enabled: true, config });
  const access_token = { description: 'reader', scopes: 'workspace:read' };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const seen = await api.ok('GET', `/${name}`, undefined, { token: String(token) });
  expect(JSON.stringify(seen)).toContain('"standard-webhooks"');
  expect(JSON.stringify(seen)).toContain('whpk_');
  expect(JSON.stringify(seen)).not.toContain('whsk_');
});
