import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { signatureHeaders } from '../../delivery/signatures.ts';
import { startEngine, targetOf } from '../support/engine.ts';

/** What the standard asks of a receiver, written from its text: nothing of this project is in it. */
function isAuthentic(headers: Readonly<Record<string, string>>, payload: Uint8Array, key: KeyObject): boolean {
  const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), payload]);
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, signature = ''] = one.split(',');
    return version === 'v1a' && verify(null, signed, key, Buffer.from(signature, 'base64'));
  });
}

/** A pair that this project had no part in, its private half in the form of the standard. */
function newPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return { publicKey, secret: `whsk_${bytes.toString('base64')}` };
}

function publicKeyIn(text: string): KeyObject {
  const x = Buffer.from(text.slice('whpk_'.length), 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

const standard = (sharedSecret: string) => ({ sharedSecret, signature: 'standard-webhooks' }) as const;

test('HOOK-22: with Ed25519 the signature that the standard prints is what is sent', () => {
  const pair = '6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
  const body = Buffer.from('{"test": 2432232314}');
  const request = { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body };
  const headers = signatureHeaders(standard(`whsk_${pair}`), request);
  expect(headers['webhook-signature']).toBe(
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  );
  expect(isAuthentic(headers, body, publicKeyIn('whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='))).toBe(true);
});

test('HOOK-22: with Ed25519 each request, a retry too, is authentic for who has nothing but the public key', async () => {
  const { publicKey, secret } = newPair();
  const target = { ...targetOf('https://a.test/hook', 'https://b.test/hook'), ...standard(secret) };
  const { clock, transport, send } = await startEngine(() => answers(503), { target });
  for (const messageId of ['m-1', 'with.stop', 'ä ✓', 'x'.repeat(200)]) await send({ messageId, event: 'Größe ✓' });
  await clock.advance(600_000);
  expect(transport.posts.length).toBeGreaterThan(20);
  const { publicKey: stranger } = newPair();
  for (const { request } of transport.posts) {
    expect(isAuthentic(request.headers, request.body, publicKey)).toBe(true);
    expect(isAuthentic(request.headers, request.body, stranger)).toBe(false);
    expect(isAuthentic(request.headers, Buffer.concat([request.body, Buffer.from(' ')]), publicKey)).toBe(false);
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      const changed = { ...request.headers, [name]: `${request.headers[name]}0` };
      expect(isAuthentic(changed, request.body, publicKey)).toBe(false);
    }
  }
});

test('HOOK-23: while one key pair replaces another, a receiver with either public key takes each request', () => {
  const [old, next] = [newPair(), newPair()];
  const until = 1_614_265_330_000;
  const signing = { ...standard(next.secret), previous: { secret: old.secret, until } };
  const body = Buffer.from('{}');
  const taken = (at: number) => {
    const headers = signatureHeaders(signing, { messageId: 'm1', at, body });
    return [old, next].map(({ publicKey }) => isAuthentic(headers, body, publicKey));
  };
  expect(taken(until - 1)).toEqual([true, true]);
  expect(taken(until)).toEqual([false, true]);
});
