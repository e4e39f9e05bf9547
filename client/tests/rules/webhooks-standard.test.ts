import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { webhookRequest, type WebhookRequestOptions } from '../../../testbed/contract/webhook-request.ts';
import { newSharedSecret, publicKeyOf, standardKey } from '../../../server/model/shared-secret.ts';
import {
  diagnoseStandard,
  expressWebhook,
  handleWebhook,
  koaWebhook,
  nodeWebhook,
  replayGuard,
  verify,
  verifySender,
  verifyStandard,
  webWebhook,
  type WebhookOptions,
} from '../../webhooks/index.ts';
import { signaturesOf } from '../../webhooks/received.ts';
import { textsOf } from '../../webhooks/standard.ts';
import { BODIES } from '../support/webhooks-bodies.ts';

const SECRET = newSharedSecret('hmac-sha256');
const OTHER = newSharedSecret('hmac-sha256');
const PRIVATE = newSharedSecret('ed25519');
const PUBLIC = publicOf(PRIVATE);
const EVENT = BODIES.track;
const NOW = Date.UTC(2026, 10, 20);

function publicOf(secret: string): string {
  const { algorithm, key } = standardKey(secret);
  return algorithm === 'ed25519' ? publicKeyOf(key) : '';
}

/** What the router sends, as it comes in. */
function received(options: WebhookRequestOptions) {
  const { headers, body } = webhookRequest(EVENT, options);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { body, ...signaturesOf(lower) };
}

function standardOf(options: WebhookRequestOptions) {
  const { body, standard } = received({ signature: 'standard-webhooks', at: NOW, ...options });
  if (standard === undefined) throw new Error('nothing was signed');
  return { body, ...textsOf(standard) };
}

/** The status of the answer to what the router sends, and how often it was handled. */
async function handled(sent: WebhookRequestOptions, options: Partial<WebhookOptions> = {}) {
  let count = 0;
  const onEvent = () => void (count += 1);
  const { status } = await handleWebhook(received(sent), { secret: SECRET, onEvent, ...options });
  return [status, count];
}

test('HOOK-22: what the official library signs verifies', async () => {
  const [id, timestamp, body] = ['msg_1', String(NOW / 1000), '{"test": 2432232314}'];
  const signature = new Webhook(SECRET).sign(id, new Date(NOW), body);
  const request = { body, id, timestamp, signature, now: NOW };
  expect(await verifyStandard({ ...request, secret: SECRET })).toEqual({ valid: true, id, until: NOW + 300_000 });
  expect(await verifyStandard({ ...request, secret: OTHER })).toEqual({ valid: false, reason: 'mismatch' });
  expect(await verifyStandard({ ...request, id: 'msg_2', secret: SECRET })).toMatchObject({ reason: 'mismatch' });
});

test.each([
  ['a secret of the standard', SECRET, SECRET],
  ['a text of any form', 'a text of any form', 'a text of any form'],
  ['a private key', PRIVATE, PUBLIC],
])('HOOK-22: what the router signs with %s verifies', async (_form, secret, key) => {
  const request = standardOf({ secret });
  expect(await verifyStandard({ ...request, secret: key, now: NOW })).toMatchObject({ valid: true });
  const altered = { ...request, body: new Uint8Array([...request.body, 10]) };
  expect(await verifyStandard({ ...altered, secret: key, now: NOW })).toMatchObject({ reason: 'mismatch' });
});

test.each([
  [-300, { valid: true }],
  [300, { valid: true }],
  [-301, { valid: false, reason: 'too old' }],
  [301, { valid: false, reason: 'too new' }],
])('HOOK-22: a request that was signed %i s from now: %j', async (seconds, verdict) => {
  const request = standardOf({ secret: SECRET, at: NOW + seconds * 1000 });
  expect(await verifyStandard({ ...request, secret: SECRET, now: NOW })).toMatchObject(verdict);
});

test.each(['id', 'timestamp', 'signature'])('HOOK-22: a request without its %s is not valid', async (header) => {
  const request = { ...standardOf({ secret: SECRET }), [header]: undefined };
  expect(await verifyStandard({ ...request, secret: SECRET, now: NOW })).toEqual({ valid: false, reason: 'missing' });
});

test('HOOK-22: of very many signatures only the first few cost anything', async () => {
  const request = standardOf({ secret: SECRET });
  const signature = `${'v1,AAAA '.repeat(8)}${request.signature}`;
  expect(await verifyStandard({ ...request, signature, secret: SECRET, now: NOW })).toMatchObject({ valid: false });
});

test.each([
  ['whsk_', PRIVATE, 'is a private key (whsk_); give the public one'],
  ['whpk_', 'whpk_AAAA', 'must hold 32 bytes behind whpk_'],
  ['whsec_', 'whsec_!', 'must hold base64 behind whsec_'],
  ['none', '', 'is empty'],
])('HOOK-22: a secret that can verify nothing is told of, without it: %s', async (_form, secret, fault) => {
  const verifying = verifyStandard({ ...standardOf({ secret: SECRET }), secret, now: NOW });
  await expect(verifying).rejects.toThrow(fault);
});

test('HOOK-22: a public key verifies no X-Signature: everybody could make one', async () => {
  const body = JSON.stringify(EVENT);
  const signature = createHmac('sha1', PUBLIC).update(body).digest('hex');
  const answer = await handleWebhook({ body, signature }, { secret: PUBLIC, onEvent: () => expect.unreachable() });
  expect(answer.status).toBe(401);
  await expect(verify({ body: '{}', signature: 'a'.repeat(40), secret: PUBLIC })).rejects.toThrow('public key');
  const options = { secret: PUBLIC, signature: 'x-signature', onEvent: () => undefined } as const;
  expect(() => webWebhook(options)).toThrow('that needs the secret itself');
});

test.each([
  [{ signature: 'x-signature' }, {}, 200],
  [{ signature: 'standard-webhooks' }, {}, 200],
  [{ signature: 'both' }, { signature: 'standard-webhooks' }, 200],
  [{ signature: 'both' }, { signature: 'x-signature' }, 200],
  [{ signature: 'x-signature' }, { signature: 'standard-webhooks' }, 401],
  [{ signature: 'standard-webhooks' }, { signature: 'x-signature' }, 401],
] as const)('HOOK-22: sent with %j and received with %j: %i', async (sent, options, status) => {
  expect((await handled({ secret: SECRET, ...sent }, options))[0]).toBe(status);
});

test.each(['x-signature', 'standard-webhooks', 'both'] as const)(
  'HOOK-23: during a rotation a receiver with either secret accepts: %s',
  async (signature) => {
    const sent = { secret: OTHER, previousSecret: SECRET, signature };
    for (const secret of [SECRET, OTHER, [OTHER, SECRET]]) expect(await handled(sent, { secret })).toEqual([200, 1]);
    expect(await handled(sent, { secret: newSharedSecret('hmac-sha256') })).toEqual([401, 0]);
  },
);

test('HOOK-22: a copy of a request is answered 200, and not handled again', async () => {
  const events: unknown[] = [];
  // As an option that is undefined is none, the guard is the default one.
  const receive = webWebhook({ secret: SECRET, onEvent: (event) => void events.push(event), replays: undefined });
  const { headers, body } = webhookRequest(EVENT, { secret: SECRET, signature: 'both' });
  const post = async () => {
    const answer = await receive(new Request('http://receiver.test/', { method: 'POST', headers, body }));
    return [answer.status, await answer.text()];
  };
  expect([await post(), await post()]).toEqual([
    [200, 'ok'],
    [200, 'handled before'],
  ]);
  expect(events).toEqual([EVENT]);
});

function rethrow(error: unknown): never {
  throw error;
}

test('HOOK-22: what could not be handled is handled when it comes again', async () => {
  const replays = replayGuard();
  const sent = { secret: SECRET, signature: 'standard-webhooks' } as const;
  const failing = { replays, onEvent: () => Promise.reject(new Error('disk full')) };
  expect(await handled(sent, failing)).toEqual([500, 0]);
  await expect(handled(sent, { ...failing, onError: rethrow })).rejects.toThrow('disk full');
  expect(await handled(sent, { replays })).toEqual([200, 1]);
});

test('HOOK-22: while a request is handled, its repeat is asked to come later: the first may still fail', async () => {
  const replays = replayGuard();
  const sent = { secret: SECRET, signature: 'standard-webhooks' } as const;
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slow = handled(sent, {
    replays,
    onEvent: () => {
      started.resolve();
      return finish.promise;
    },
  });
  await started.promise;
  expect(await handled(sent, { replays })).toEqual([503, 0]);
  finish.resolve();
  await slow;
  expect(await handled(sent, { replays })).toEqual([200, 0]);
});

test('HOOK-22: a guard forgets an id when nothing that old verifies any more', () => {
  let now = NOW;
  const guard = replayGuard(() => now);
  expect(guard.begin('m1', NOW + 1_000)).toBe('new');
  void guard.end('m1', true);
  now += 1_000;
  expect(guard.begin('m1', NOW + 1_000)).toBe('done');
  now += 1;
  expect(guard.begin('m1', NOW + 2_000)).toBe('new');
});

test('HOOK-22: a guard remembers an id for as long as any request with it is accepted', () => {
  let now = NOW;
  const guard = replayGuard(() => now);
  expect(guard.begin('m1', NOW + 1_000)).toBe('new');
  void guard.end('m1', true);
  now += 900;
  expect(guard.begin('m1', NOW + 2_000)).toBe('done');
  now += 1_000;
  expect(guard.begin('m1', NOW + 2_000)).toBe('done');
});

test.each([Number.NaN, -1])('HOOK-22: a tolerance of %d is refused: any age would do', async (toleranceSeconds) => {
  const refusal = `The option toleranceSeconds is ${toleranceSeconds}`;
  const old = { ...standardOf({ secret: SECRET, at: NOW - 3_600_000 }), secret: SECRET, now: NOW };
  await expect(verifyStandard({ ...old, toleranceSeconds })).rejects.toThrow(refusal);
  expect(() => webWebhook({ secret: SECRET, onEvent: () => undefined, toleranceSeconds })).toThrow(refusal);
  const timestamp = { header: 'X-At', toleranceSeconds };
  const sender = { header: 'X-Sign', algorithm: 'SHA-256', encoding: 'hex', timestamp } as const;
  const headers = { 'X-Sign': 'a', 'X-At': '1' };
  await expect(verifySender({ sender, headers, body: '', secret: SECRET })).rejects.toThrow(refusal);
});

test('HOOK-22: a time that is none is refused: any age would do', async () => {
  const old = { ...standardOf({ secret: SECRET, at: NOW - 3_600_000 }), secret: SECRET, now: Number.NaN };
  await expect(verifyStandard(old)).rejects.toThrow('The option now is NaN');
  const timestamp = { header: 'X-At', toleranceSeconds: 300 };
  const sender = { header: 'X-Sign', algorithm: 'SHA-256', encoding: 'hex', timestamp } as const;
  const request = { sender, headers: { 'X-Sign': 'a', 'X-At': '1' }, body: '', secret: SECRET, now: Number.NaN };
  await expect(verifySender(request)).rejects.toThrow('The option now is NaN');
});

test.each([Number.NaN, 0, -1])('a receiver is not made with a limit of %d bytes', (limitBytes) => {
  const options = { secret: SECRET, onEvent: () => undefined, limitBytes };
  for (const make of [webWebhook, nodeWebhook, koaWebhook, expressWebhook])
    expect(() => make(options)).toThrow(`The option limitBytes is ${limitBytes}`);
});

test.each<[string, object, string[]]>([
  ['it came without its headers', { signature: undefined }, ['no-standard-signature']],
  ['the clock here is ahead', { now: NOW + 600_000 }, ['timestamp-old']],
  ['the clock here is behind', { now: NOW - 600_000 }, ['timestamp-new']],
  ['its time is no time', { timestamp: '2026-11-20' }, ['timestamp-malformed']],
  ['the prefix got lost', { secret: SECRET.slice('whsec_'.length) }, ['secret-prefix']],
  ['the secret has a line break', { secret: `${SECRET}\n` }, ['secret-whitespace']],
  ['the secret has quotation marks', { secret: `"${SECRET}"` }, ['secret-quoted']],
  ['it was signed with another secret that is known', { secret: OTHER, otherSecrets: [SECRET] }, ['secret-old']],
  ['the body was written again', { body: JSON.stringify(EVENT, null, 2) }, ['body-reserialized']],
])('the doctor finds that %s', async (_what, changed, mistakes) => {
  const patient = { ...standardOf({ secret: SECRET }), secret: SECRET, now: NOW, ...changed };
  const diagnosis = await diagnoseStandard(patient);
  expect(diagnosis).toMatchObject({ verdict: 'explained', mistakes });
  expect(JSON.stringify(diagnosis)).not.toContain(SECRET.slice(6, 20));
});

test('the doctor says so when the text of the secret was taken for the key', async () => {
  const request = standardOf({ secret: SECRET });
  const key = new Webhook(SECRET, { format: 'raw' });
  const signature = key.sign(request.id, new Date(NOW), Buffer.from(request.body));
  const diagnosis = await diagnoseStandard({ ...request, signature, secret: SECRET, now: NOW });
  expect(diagnosis).toMatchObject({ mistakes: ['secret-not-decoded'] });
});

test('the doctor knows what is right, and what it cannot explain', async () => {
  const request = { ...standardOf({ secret: SECRET }), now: NOW };
  expect(await diagnoseStandard({ ...request, secret: SECRET })).toEqual({ verdict: 'valid' });
  expect(await diagnoseStandard({ ...request, secret: OTHER })).toMatchObject({ verdict: 'unexplained' });
  expect(await diagnoseStandard({ ...request, secret: PUBLIC })).toMatchObject({ verdict: 'unexplained' });
});

test('a receiver that requires Standard Webhooks is told by the doctor what did not come', async () => {
  const rejections: unknown[] = [];
  const options = { signature: 'standard-webhooks', onRejected: (one: object) => rejections.push(one) } as const;
  expect(await handled({ secret: SECRET }, options)).toEqual([401, 0]);
  expect(rejections).toMatchObject([
    { reason: 'the signature is missing', diagnosis: { mistakes: ['no-standard-signature'] } },
  ]);
});
