import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders, signatureOf } from '../../delivery/signatures.ts';
import { secretMask } from '../../delivery/secret-mask.ts';
import { newSharedSecret } from '../../model/shared-secret.ts';
import { readStored } from '../../model/stored-rows.ts';
import { type ConfigApiServer, NOW, startConfigApi, withWebhooks } from '../support/config-api.ts';

const DAY = 86_400_000;
const BODY = Buffer.from('{}');
const HOOKS = { name: 'hooks', value: [{ hook: 'https://a.test/hook' }] };

async function withSecret(secret: string, ...settings: object[]): Promise<{ api: ConfigApiServer; name: string }> {
  const api = await startConfigApi();
  const config = [HOOKS, { name: 'sharedSecret', value: secret }, ...settings];
  return { api, name: await withWebhooks(api, { enabled: true, config }) };
}

function headersAt({ directory }: ConfigApiServer, name: string, at: number): Record<string, string> {
  const target = directory.target(name);
  if (target === undefined) throw new Error('there is no such target');
  return signatureHeaders(target, { messageId: 'm1', at, body: BODY });
}

function patch(secret: string) {
  const config = [{ name: 'sharedSecret', value: secret }];
  return { destination: { config }, update_mask: { paths: ['destination.config'] } };
}

test('HOOK-23: a secret that is made is answered; for a day both verify, and then the new one alone', async () => {
  const { api, name } = await withSecret('old');
  const { secret, destination } = await api.ok('POST', `/${name}:rotateSecret`);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [start_time, end_time] = [NOW, NOW + DAY].map((time) => new Date(time).toISOString());
  expect(destination).toMatchObject({ name, rotation: { start_time, end_time } });
  expect(await api.ok('GET', `/${name}`)).toEqual(destination);
  const [previous, next] = [signatureOf('old', BODY), signatureOf(String(secret), BODY)];
  for (const at of [NOW, NOW + DAY - 1]) {
    expect(headersAt(api, name, at)).toEqual({ 'X-Signature': previous, 'X-Signature-Next': next });
  }
  expect(headersAt(api, name, NOW + DAY)).toEqual({ 'X-Signature': next });
  api.time.now = NOW + DAY;
  expect(await api.ok('GET', `/${name}`)).not.toHaveProperty('rotation');
});

test('HOOK-23: with Standard Webhooks one header has both signatures, that of the old secret first', async () => {
  const { api, name } = await withSecret(`whsec_${Buffer.alloc(24, 1).toString('base64')}`, {
    name: 'signature',
    value: 'both',
  });
  const before = headersAt(api, name, NOW)['webhook-signature'];
  const { secret } = await api.ok('POST', `/${name}:rotateSecret`, { overlap_seconds: 60 });
  const after = headersAt(api, name, NOW + 60_000)['webhook-signature'];
  expect(headersAt(api, name, NOW)).toMatchObject({
    'webhook-signature': `${before} ${new Webhook(String(secret)).sign('m1', new Date(NOW), BODY)}`,
    'X-Signature-Next': signatureOf(String(secret), BODY),
  });
  expect(after).toBe(new Webhook(String(secret)).sign('m1', new Date(NOW + 60_000), BODY));
});

test('HOOK-23: a destination changes over from HMAC to Ed25519, and shows both public keys when it changes again', async () => {
  const { api, name } = await withSecret('old', { name: 'signature', value: 'standard-webhooks' });
  await api.ok('POST', `/${name}:rotateSecret`, { algorithm: 'ed25519' });
  expect(headersAt(api, name, NOW)['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  const { public_keys: first } = await api.ok('POST', `/${name}:finishRotation`);
  // The algorithm of the secret before it is kept.
  const { destination } = await api.ok('POST', `/${name}:rotateSecret`);
  const { public_keys: keys } = JSON.parse(JSON.stringify(destination));
  expect(keys).toEqual([String(first), expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/)]);
  expect(headersAt(api, name, NOW)['webhook-signature']).toMatch(/^v1a,\S+ v1a,\S+$/);
});

test('HOOK-23: a rotation is cancelled: the old secret signs alone again', async () => {
  const { api, name } = await withSecret('old');
  const before = await api.ok('GET', `/${name}`);
  await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new' });
  const after = await api.ok('POST', `/${name}:cancelRotation`);
  expect(after).toEqual(before);
  expect(headersAt(api, name, NOW)).toEqual({ 'X-Signature': signatureOf('old', BODY) });
});

test('HOOK-23: a rotation is finished early: the new secret signs alone', async () => {
  const { api, name } = await withSecret('old');
  await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new' });
  expect(await api.ok('POST', `/${name}:finishRotation`)).not.toHaveProperty('rotation');
  expect(headersAt(api, name, NOW)).toEqual({ 'X-Signature': signatureOf('new', BODY) });
});

test.each(['cancelRotation', 'finishRotation'])('HOOK-23: after its end, %s changes nothing', async (method) => {
  const { api, name } = await withSecret('old');
  await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new', overlap_seconds: 1 });
  api.time.now += 1_000;
  await api.ok('POST', `/${name}:${method}`);
  expect(headersAt(api, name, api.time.now)).toEqual({ 'X-Signature': signatureOf('new', BODY) });
});

test('HOOK-23: a rotation that is asked for again with the same secret goes on as it is', async () => {
  const { api, name } = await withSecret('old');
  const first = await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new' });
  api.time.now += 1_000;
  expect(await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new', overlap_seconds: 5 })).toEqual(first);
});

test('HOOK-23: while it lasts, no other secret takes the place of the two', async () => {
  const { api, name } = await withSecret('old');
  await api.ok('POST', `/${name}:rotateSecret`, { secret: 'new' });
  const reset = { destination: {}, update_mask: { paths: ['destination.config'] } };
  for (const refused of [
    await api.call('POST', `/${name}:rotateSecret`, { secret: 'third' }),
    await api.call('POST', `/${name}:rotateSecret`),
    await api.call('PATCH', `/${name}`, patch('old')),
    await api.call('PATCH', `/${name}`, { ...reset, destination: { enabled: false } }),
  ]) {
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(':finishRotation') } });
  }
  // What keeps the secret is free.
  await api.ok('PATCH', `/${name}`, patch('new'));
  await api.ok('PATCH', `/${name}`, { destination: { display_name: 'x' }, update_mask: { paths: ['display_name'] } });
  expect(headersAt(api, name, NOW)).toHaveProperty('X-Signature-Next');
  api.time.now += DAY;
  await api.ok('PATCH', `/${name}`, patch('third'));
  expect(headersAt(api, name, api.time.now)).toEqual({ 'X-Signature': signatureOf('third', BODY) });
});

test.each([
  ['a first secret', '', {}],
  ['no overlap', 'old', { overlap_seconds: 0 }],
])('HOOK-23: %s signs at once', async (_what, before, wanted) => {
  const { api, name } = await withSecret(before);
  const { secret, destination } = await api.ok('POST', `/${name}:rotateSecret`, wanted);
  expect(destination).not.toHaveProperty('rotation');
  expect(headersAt(api, name, NOW)).toEqual({ 'X-Signature': signatureOf(String(secret), BODY) });
});

test.each([
  [{ secret: '' }, 'secret'],
  [{ secret: '[redacted]' }, '[redacted]'],
  [{ secret: 's', algorithm: 'ed25519' }, 'omit'],
  [{ algorithm: 'ed25519' }, 'standard-webhooks'],
  [{ overlap_seconds: 604_801 }, 'overlap_seconds'],
])('HOOK-23: %j is refused', async (wanted, why) => {
  const { api, name } = await withSecret('old');
  const answer = await api.call('POST', `/${name}:rotateSecret`, wanted);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(why) } });
  expect(headersAt(api, name, NOW)).toEqual({ 'X-Signature': signatureOf('old', BODY) });
});

test('HOOK-23: what the standard cannot sign with is refused, also of the secret before', async () => {
  const { api, name } = await withSecret('whsec_no', { name: 'signature', value: 'x-signature' });
  await api.ok('POST', `/${name}:rotateSecret`);
  const config = [{ name: 'signature', value: 'both' }];
  const answer = await api.call('PATCH', `/${name}`, {
    destination: { config },
    update_mask: { paths: ['destination.config'] },
  });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('base64 behind whsec_') } });
});

test('HOOK-23: destinations of other kinds have no secret to rotate', async () => {
  const { api, name } = await withSecret('old');
  const other = name.replace('/webhooks', '/amazon-kinesis');
  await api.ok('POST', '/workspaces/main/sources/js/destinations', { destination: { name: other } });
  const answer = await api.call('POST', `/${other}:rotateSecret`);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('has no shared secret') } });
});

test('HOOK-23: neither secret reaches a token that may only read, the log, or an error; the old one reaches nobody', async () => {
  const { api, name } = await withSecret('c4nary-old');
  await api.ok('POST', `/${name}:rotateSecret`, { secret: 'c4nary-new' });
  const { token } = await api.ok('POST', '/access-tokens', {
    access_token: { description: 'reader', scopes: 'workspace:read' },
  });
  const seen = await api.ok('GET', `/${name}`, undefined, { token: String(token) });
  expect(seen).toHaveProperty('rotation');
  const refused = await api.call('POST', `/${name}:rotateSecret`, { secret: 'c4nary-third' });
  expect(JSON.stringify([seen, refused.body, api.log.lines])).not.toContain('c4nary');
  expect(JSON.stringify(await api.ok('GET', `/${name}`))).not.toContain('c4nary-old');
});

test('SAFE-3: what a receiver sends back of either secret is masked, in its decoded form too', () => {
  const [old, secret] = [newSharedSecret('hmac-sha256'), newSharedSecret('ed25519')];
  const mask = secretMask({ webhooks: [], sharedSecret: secret, previous: { secret: old, until: NOW } });
  const spellings = [old, secret].flatMap((one) => {
    const base64 = one.slice(one.indexOf('_') + 1);
    const bytes = Buffer.from(base64, 'base64');
    return [one, base64, bytes.toString('hex'), bytes.subarray(0, 32).toString('hex'), bytes.toString('base64url')];
  });
  for (const text of spellings) expect([text, mask(`key=${text}.`)]).toEqual([text, 'key=[masked].']);
});

test('NODE-7: a destination of an earlier version has no rotation, and is read as it was', () => {
  const row = { name: 'workspaces/main/sources/js/destinations/webhooks', enabled: true };
  expect(readStored('destinations', row)).not.toHaveProperty('rotation');
});
