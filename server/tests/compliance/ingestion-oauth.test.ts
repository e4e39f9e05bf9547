import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createAccessTokens } from '../../ingestion/access-tokens.ts';
import { createUsedAssertions } from '../../ingestion/used-assertions.ts';
import { openMemory } from '../support/memory-storage.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';
import { stillClock } from '../support/still-clock.ts';
import { basic, type IngestionServer, NOW, SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const ENCODING = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const OWN = generateKeyPairSync('rsa', { modulusLength: 2048, ...ENCODING });
const OTHER = generateKeyPairSync('rsa', { modulusLength: 2048, ...ENCODING });
const TRACK = { type: 'track', userId: 'u', event: 'E' };
const JSON_TYPE = 'application/json; charset=utf-8';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Ingestion whose one source has the public key OWN by the id `k1`. */
async function startWithKey(publicUrl?: string): Promise<IngestionServer> {
  const server = await startIngestion(undefined, undefined, undefined, publicUrl);
  await server.config.update('sources', SOURCE, (source) => ({
    ...source,
    oauth_keys: [{ key_id: 'k1', public_key: OWN.publicKey }],
  }));
  return server;
}

interface Assertion {
  readonly claims?: JWTPayload;
  /** Without a `jti`. */
  readonly isAnonymous?: boolean;
  readonly kid?: string;
  readonly key?: string;
}

/** As SDKs make it; `url` is where it is sent. */
async function assertion(
  url: string,
  { claims, isAnonymous = false, kid = 'k1', key = OWN.privateKey }: Assertion = {},
): Promise<string> {
  const now = NOW / 1000;
  const usual = {
    iss: WRITE_KEY,
    sub: WRITE_KEY,
    aud: url,
    iat: now - 5,
    exp: now + 55,
    ...(isAnonymous ? {} : { jti: randomUUID() }),
  };
  const jwt = new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' });
  return jwt.sign(await importPKCS8(key, 'RS256'));
}

function form(clientAssertion: string): string {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return `grant_type=client_credentials&client_assertion_type=${type}&client_assertion=${clientAssertion}&scope=tracking_api:write`;
}

async function tokenOf({ post, url }: IngestionServer): Promise<string> {
  const { status, body } = await post('/token', form(await assertion(url)), FORM);
  expect([status, body]).toEqual([
    200,
    { access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400, scope: 'tracking_api:write' },
  ]);
  return String(Reflect.get(Object(body), 'access_token'));
}

test('ING-1: a token that was given for a signed assertion lets calls in', async () => {
  const server = await startWithKey();
  const headers = { authorization: `Bearer ${await tokenOf(server)}` };
  const batch = { batch: [TRACK], writeKey: WRITE_KEY };
  expect(await server.post('/v1/batch', batch, headers)).toMatchObject({ status: 200 });
  expect(await server.post('/v1/track', { ...TRACK, writeKey: WRITE_KEY }, headers)).toMatchObject({ status: 200 });
  expect(server.store.events).toHaveLength(2);
});

test('ING-1: a source with keys lets nobody in by its write key alone', async () => {
  const { post, store } = await startWithKey();
  const batch = { batch: [TRACK], writeKey: WRITE_KEY };
  const answers = [
    await post('/v1/batch', batch, {}),
    await post('/v1/batch', batch, basic(WRITE_KEY)),
    await post('/v1/t', { ...TRACK, writeKey: WRITE_KEY }, {}),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining('/token') } });
  }
  expect(store.calls).toEqual([]);
});

test('ING-1: a token from before a start is answered 511, so that SDKs get another', async () => {
  const before = await startWithKey();
  const headers = { authorization: `Bearer ${await tokenOf(before)}` };
  const { post, store } = await startWithKey();
  expect(await post('/v1/batch', { batch: [TRACK], writeKey: WRITE_KEY }, headers)).toMatchObject({
    status: 511,
    body: { code: 16 },
  });
  expect(store.calls).toEqual([]);
});

test('ING-1: a token is of no use once its key was taken away', async () => {
  const server = await startWithKey();
  const headers = { authorization: `Bearer ${await tokenOf(server)}` };
  await server.config.update('sources', SOURCE, (source) => ({
    ...source,
    oauth_keys: [{ key_id: 'k2', public_key: OTHER.publicKey }],
  }));
  const answer = await server.post('/v1/batch', { batch: [TRACK], writeKey: WRITE_KEY }, headers);
  expect(answer).toMatchObject({ status: 511 });
});

test('ING-1: a token is of no use once another public key has the id of its own', async () => {
  const server = await startWithKey();
  const headers = { authorization: `Bearer ${await tokenOf(server)}` };
  const batch = { batch: [TRACK], writeKey: WRITE_KEY };
  expect(await server.post('/v1/batch', batch, headers)).toMatchObject({ status: 200 });
  await server.config.update('sources', SOURCE, (source) => ({
    ...source,
    oauth_keys: [{ key_id: 'k1', public_key: OTHER.publicKey }],
  }));
  expect(await server.post('/v1/batch', batch, headers)).toMatchObject({ status: 511 });
});

test('ING-1: a token that a router of an earlier version gave, beside this one, is good', async () => {
  const secret = new Uint8Array(32);
  const source = { ...sourceNamed(SOURCE, WRITE_KEY), oauth_keys: [{ key_id: 'k1', public_key: OWN.publicKey }] };
  const earlier = new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).setSubject(SOURCE);
  const token = await earlier.setExpirationTime(NOW / 1000 + 60).sign(secret);
  const tokens = createAccessTokens(
    stillClock(() => NOW),
    { signingKey: async () => secret },
  );
  await expect(tokens.check(source, token)).resolves.toBeUndefined();
  await expect(tokens.check({ ...source, oauth_keys: [{ key_id: 'k2', public_key: '' }] }, token)).rejects.toThrow(
    'token',
  );
});

test('ING-1: a token of one source is of no use at another', async () => {
  const server = await startWithKey();
  const other = sourceNamed('workspaces/main/sources/other', 'o'.repeat(32));
  await server.config.create('sources', { ...other, oauth_keys: [{ key_id: 'k1', public_key: OWN.publicKey }] });
  const headers = { authorization: `Bearer ${await tokenOf(server)}` };
  const answer = await server.post('/v1/batch', { batch: [TRACK], writeKey: 'o'.repeat(32) }, headers);
  expect(answer).toMatchObject({ status: 511 });
});

test('ING-1: a token says whose it is and by which key, and no more', async () => {
  const payload = decodeJwt(await tokenOf(await startWithKey()));
  expect(payload).toEqual({ sub: SOURCE, exp: NOW / 1000 + 86_400, key: expect.stringMatching(/^[\w-]{43}$/) });
});

const SECOND = NOW / 1000;
test.each<[string, Assertion, number, string]>([
  ['another key', { key: OTHER.privateKey }, 401, 'not signed with the key'],
  ['an unknown kid', { kid: 'k2' }, 401, 'no source with this write key has an OAuth key'],
  ['an unknown write key', { claims: { iss: 'x', sub: 'x' } }, 401, 'no source with this write key'],
  ['another audience', { claims: { aud: 'https://other.example' } }, 401, 'aud must be'],
  ['no audience', { claims: { aud: [] } }, 401, 'aud must be'],
  ['iss beside sub', { claims: { iss: 'x' } }, 400, 'sub, and iss'],
  ['an end in the past', { claims: { iat: SECOND - 200, exp: SECOND - 61 } }, 400, 'expired, or used before'],
  ['a beginning to come', { claims: { iat: SECOND + 100, exp: SECOND + 160 } }, 400, 'expired, or used before'],
  ['no end in sight', { claims: { iat: SECOND - 4_000, exp: SECOND + 1e9 } }, 400, 'expired, or used before'],
])('ING-1: an assertion with %s is refused', async (_case, made, status, words) => {
  const { post, url } = await startWithKey();
  const answer = await post('/v1/token', form(await assertion(url, made)), FORM);
  const name = status === 401 ? 'invalid_client' : 'invalid_request';
  expect(answer).toMatchObject({ status, body: { error: name, error_description: expect.stringContaining(words) } });
  expect(JSON.stringify(answer)).not.toContain('BEGIN');
});

test.each([
  ['without an assertion', 'grant_type=client_credentials'],
  ['of another grant', form('x').replace('client_credentials', 'password')],
  ['with what is no JWT', form('a.b.c')],
  ['with an unsigned JWT', form(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`)],
  ['in JSON', '{"grant_type":"client_credentials"}'],
])('ING-1: a request for a token %s is 400', async (_case, body) => {
  const { post } = await startWithKey();
  const words = {
    error: 'invalid_request',
    error_description: expect.any(String),
    message: expect.any(String),
    code: 3,
  };
  expect(await post('/token', body, FORM)).toEqual({ status: 400, type: JSON_TYPE, body: words });
});

test('ING-1: a request of another grant is told which grant there is', async () => {
  const { post } = await startWithKey();
  const answer = await post('/token', form('x').replace('client_credentials', 'password'), FORM);
  expect(answer.body).toMatchObject({ message: 'grant_type must be client_credentials, got "password"' });
});

test('ING-1: what is answered at /token is kept nowhere', async () => {
  const { url } = await startWithKey();
  for (const body of [form(await assertion(url)), 'nonsense']) {
    const answer = await fetch(`${url}/token`, { method: 'POST', body, headers: FORM });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('ING-1: fractions in the times of an assertion are fine', async () => {
  const { post, url } = await startWithKey();
  const claims = { iat: SECOND - 5.25, exp: SECOND + 54.75 };
  expect(await post('/token', form(await assertion(url, { claims })), FORM)).toMatchObject({ status: 200 });
});

async function statusOf(
  { post, url }: IngestionServer,
  made: Assertion,
  headers: Record<string, string> = FORM,
): Promise<number> {
  return (await post('/token', form(await assertion(url, made)), headers)).status;
}

test.each([
  ['https://events.example.com', 200],
  ['https://events.example.com/token', 200],
  ['http://events.example.com', 401],
  ['https://events.example.com:8443', 401],
  ['https://events.example.com.evil.example', 401],
  ['events.example.com', 401],
])('ING-1: with a public URL an assertion for %s is answered %i, whatever the Host says', async (aud, status) => {
  const server = await startWithKey('https://events.example.com');
  for (const host of ['events.example.com', 'evil.example']) {
    expect(await statusOf(server, { claims: { aud } }, { ...FORM, host })).toBe(status);
  }
  expect(await statusOf(server, {})).toBe(401);
});

test('ING-1: without a public URL an assertion has to be for the address that the router listens on', async () => {
  const server = await startWithKey();
  const { port } = new URL(server.url);
  for (const host of ['evil.example', `127.0.0.1:${port}`]) {
    const headers = { ...FORM, host };
    expect(await statusOf(server, { claims: { aud: 'https://evil.example' } }, headers)).toBe(401);
    expect(await statusOf(server, { claims: { aud: ['x', `http://localhost:${port}`] } }, headers)).toBe(200);
    expect(await statusOf(server, { claims: { aud: `https://127.0.0.1:${port}/` } }, headers)).toBe(200);
  }
});

test('ING-1: an assertion is accepted once, by its jti or without one by itself', async () => {
  const server = await startWithKey();
  for (const made of [{ claims: { jti: 'once' } }, { isAnonymous: true }]) {
    const body = form(await assertion(server.url, made));
    expect(await server.post('/token', body, FORM)).toMatchObject({ status: 200 });
    const again = await server.post('/token', body, FORM);
    expect(again).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(again.body).toMatchObject({ message: expect.stringContaining('was used before') });
  }
  const sameId = { jti: 'once', iat: SECOND - 6 };
  expect(await statusOf(server, { claims: sameId })).toBe(401);
});

test('ING-1: used assertions are kept until they expire, and so many at most', async () => {
  const used = createUsedAssertions(openMemory());
  const use = (at: number, now: number, source = SOURCE): Promise<boolean> =>
    used.use(source, { id: `jti ${at}`, expiresAt: 1_000 }, now);
  for (let at = 0; at < 10_000; at += 1) expect(await use(at, 0)).toBe(true);
  await expect(use(10_000, 999)).rejects.toThrow('server overloaded; retry later');
  expect(await use(10_000, 999, 'workspaces/main/sources/other')).toBe(true);
  expect(await use(0, 999)).toBe(false);
  expect(await use(10_000, 1_000)).toBe(true);
});

test('NODE-5: a token is given for a key of which another router was told a moment ago', async () => {
  const server = await startIngestion();
  server.config.isBehind = true;
  const oauth_keys = [{ key_id: 'k1', public_key: OWN.publicKey }];
  await server.config.update('sources', SOURCE, (source) => ({ ...source, oauth_keys }));
  expect(await tokenOf(server)).toEqual(expect.any(String));
});
