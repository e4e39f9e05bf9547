import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../../client/webhooks/signature.ts';
import { signatureOf } from '../../delivery/signatures.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const anyBody = fc.uint8Array({ maxLength: 200 });
/** Short, longer than a block of SHA-1 (64 bytes), and with every kind of character. */
const anySecret = fc.oneof(
  fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.nat(200).map((length) => 'k'.repeat(length + 1)),
);

test('HOOK-5: any signature is the HMAC of RFC 2104, made of bare SHA-1', () => {
  fc.assert(
    fc.property(anySecret, anyBody, (secret, body) => {
      expect(signatureOf(secret, body)).toBe(hmacByHand(secret, body));
    }),
    { numRuns: 10_000 },
  );
});

test('HOOK-5: the receiver kit accepts every signature of the router', async () => {
  await fc.assert(
    fc.asyncProperty(anySecret, anyBody, async (secret, body) => {
      expect(await verify({ body, secret, signature: signatureOf(secret, body) })).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('HOOK-5, HOOK-7: one bit changed in body or signature is refused', async () => {
  const anyBit = fc.tuple(fc.nat(), fc.nat(7));
  await fc.assert(
    fc.asyncProperty(anySecret, anyBody, anyBit, fc.boolean(), async (secret, body, bit, isOfBody) => {
      const signature = signatureOf(secret, body);
      const digest = Buffer.from(signature, 'hex');
      const changed =
        isOfBody && body.length > 0
          ? { body: flipped(body, bit), signature }
          : { body, signature: Buffer.from(flipped(digest, bit)).toString('hex') };
      expect(await verify({ secret, ...changed })).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

test('HOOK-5: a character more in the secret, and any other spelling, is refused', async () => {
  await fc.assert(
    fc.asyncProperty(anySecret, anyBody, fc.nat(4), async (secret, body, way) => {
      const signature = signatureOf(secret, body);
      // Not a zero: HMAC fills short keys up with zeros.
      const wrong = [
        { secret: `${secret}x`, signature },
        { secret, signature: `${signature}0` },
        { secret, signature: signature.slice(0, -1) },
        { secret, signature: ` ${signature}` },
        { secret, signature: '' },
      ][way];
      expect(await verify({ body, secret, signature, ...wrong })).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

test('HOOK-5: the comparison finds a digest over other bytes', () => {
  const body = Buffer.from('{"a":1}', 'utf8');
  expect(signatureOf('s', Buffer.from('{"a": 1}', 'utf8'))).not.toBe(hmacByHand('s', body));
  expect(signatureOf('s', body)).toBe(hmacByHand('s', body));
});

/** `H(K ⊕ opad ‖ H(K ⊕ ipad ‖ text))`, as RFC 2104 writes it. */
function hmacByHand(secret: string, text: Uint8Array): string {
  const bytes = Buffer.from(secret, 'utf8');
  const key = Buffer.alloc(64);
  (bytes.length > 64 ? sha1(bytes) : bytes).copy(key);
  const inner = sha1(
    key.map((byte) => byte ^ 0x36),
    text,
  );
  return sha1(
    key.map((byte) => byte ^ 0x5c),
    inner,
  ).toString('hex');
}

function sha1(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function flipped(bytes: Uint8Array, [place, bit]: readonly [place: number, bit: number]): Uint8Array {
  const at = place % bytes.length;
  return bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
}
