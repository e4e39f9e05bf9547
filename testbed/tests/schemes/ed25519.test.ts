/** Ed25519 of Standard Webhooks, which no package of a vendor verifies: written anew here, from the specification alone. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCHEMES, signedRequest } from '../../schemes/index.ts';
import { RUNS } from '../support/scheme-runs.ts';
import { CODE_POINT } from '../support/code-point.ts';

const AT = 1_700_000_000_000;
const SCHEME = SCHEMES['standard-webhooks'];
const URL_OF_HOOK = 'https://shop.example/hooks';

interface Pair {
  readonly secret: string;
  readonly open: string;
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
}

/** RFC 8410: 32 bytes of a seed behind these are a private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const anyPair = fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean()).map(([seed, isLong]): Pair => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key);
  const open = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const secret = isLong ? Buffer.concat([seed, open]) : Buffer.from(seed);
  return { secret: `whsk_${secret.toString('base64')}`, open: `whpk_${open.toString('base64')}`, key, publicKey };
});
const anyBody = fc.string({ unit: CODE_POINT, maxLength: 200 });
const anyId = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);

function signedBytes(id: string, timestamp: string, body: string): Buffer {
  return Buffer.from(`${id}.${timestamp}.${body}`, 'utf8');
}

test('what the kit signs is valid by the specification, and by no other key', () => {
  fc.assert(
    fc.property(anyPair, anyPair, anyBody, anyId, (pair, other, body, id) => {
      fc.pre(pair.secret !== other.secret);
      const { headers } = signedRequest({ scheme: SCHEME, secret: pair.secret, url: URL_OF_HOOK, body, at: AT, id });
      const {
        'webhook-id': sentId = '',
        'webhook-timestamp': timestamp = '',
        'webhook-signature': signature,
      } = headers;
      const [, digest = ''] = /^v1a,(\S+)$/.exec(signature ?? '') ?? [];
      const bytes = signedBytes(sentId, timestamp, body);
      expect([sentId, timestamp]).toEqual([id, String(AT / 1000)]);
      expect(verify(null, bytes, pair.publicKey, Buffer.from(digest, 'base64'))).toBe(true);
      expect(verify(null, bytes, other.publicKey, Buffer.from(digest, 'base64'))).toBe(false);
    }),
    { numRuns: RUNS },
  );
});

test('what is signed by the specification is valid in the kit, and with another key or body it is not', async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, anyPair, anyBody, anyId, async (pair, other, body, id) => {
      fc.pre(pair.open !== other.open);
      const timestamp = String(AT / 1000);
      const digest = sign(null, signedBytes(id, timestamp, body), pair.key).toString('base64');
      const headers = [
        ['webhook-id', id],
        ['webhook-timestamp', timestamp],
        ['webhook-signature', `v1,AAAA v1a,${digest}`],
      ] as const;
      const arrived = { at: AT, path: '/', headers, body: Buffer.from(body) };
      expect(await SCHEME.check(arrived, pair.open)).toBe('valid');
      expect(await SCHEME.check(arrived, other.open)).toMatchObject({ header: 'webhook-signature' });
      expect(await SCHEME.check({ ...arrived, body: Buffer.from(`${body}x`) }, pair.open)).not.toBe('valid');
      expect(await SCHEME.check({ ...arrived, at: AT + 301_000 }, pair.open)).not.toBe('valid');
    }),
    { numRuns: RUNS },
  );
});
