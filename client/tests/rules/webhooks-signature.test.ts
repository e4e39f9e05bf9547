import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sign, verify } from '../../webhooks/signature.ts';

// Every digest below was made by OpenSSL, not by the code under test:
//   printf '%s' '<body>' | openssl dgst -sha1 -hmac '<secret>' -hex
const VECTORS = [
  {
    what: 'plain ASCII',
    secret: 's3cret',
    body: '{"version":1,"type":"identify","userId":"user-42","traits":{"plan":"pro"}}',
    digest: '6a71bd8f9cd25fad2de67b2c72fae739ec2b6ccd',
  },
  {
    what: 'a body beyond ASCII',
    secret: 's3cret',
    body: '{"version":1,"type":"track","userId":"user-42","event":"Größe gewählt ✓"}',
    digest: '7c1fe2bd1fe7663c7f504f97461124af9f911c93',
  },
  {
    what: 'a secret beyond ASCII',
    secret: 'schlüssel-🔑',
    body: '{}',
    digest: 'b5a59494848a7f32e1a83c3a4c022ccd0c6f90fa',
  },
  { what: 'an empty body', secret: 's3cret', body: '', digest: '3e48575537919d9187078407ecb88e44b1d674e4' },
  // Longer than the 64 byte block of SHA-1, so the key is hashed first.
  {
    what: 'a secret longer than a block',
    secret: 'a'.repeat(100),
    body: '{}',
    digest: 'e96365ee80062e71a6121297091aa7548df55bdb',
  },
] as const;

const secrets = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
const bodies = fc.uint8Array({ minLength: 1, maxLength: 400 });

describe('X-Signature', () => {
  test.each(VECTORS)('HOOK-5: equals what OpenSSL computes for $what', async ({ secret, body, digest }) => {
    expect(await sign(secret, body)).toBe(digest);
    expect(await verify({ body, signature: digest, secret })).toBe(true);
    expect(await verify(body, digest, secret)).toBe(true);
    expect(await verify(new TextEncoder().encode(body), digest, secret)).toBe(true);
    expect(await verify(`${body} `, digest, secret)).toBe(false);
  });

  test('a header in a list of one is that header, and one that came twice is no signature', async () => {
    const [{ body, digest: signature, secret }] = VECTORS;
    expect(await verify({ body, signature: [signature], secret })).toBe(true);
    expect(await verify({ body, signature: [signature, signature], secret })).toBe(false);
    expect(await verify({ body, signature: [], secret })).toBe(false);
  });

  // printf '\x00\xff\xfe\x80{' | openssl dgst -sha1 -hmac 's3cret' -hex
  test('HOOK-5: bytes that are no UTF-8 are signed as they are', async () => {
    const body = Uint8Array.of(0x00, 0xff, 0xfe, 0x80, 0x7b);
    expect(await sign('s3cret', body)).toBe('e8e52d5f660a152fcb0884f7b82f89a174cf27a3');
  });

  test('HOOK-5: a string and its UTF-8 bytes sign alike', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.string({ unit: 'grapheme' }), async (secret, text) => {
        expect(await sign(secret, text)).toBe(await sign(secret, new TextEncoder().encode(text)));
      }),
    );
  });

  test('HOOK-5: every signature that is made verifies', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, fc.uint8Array(), async (secret, body) => {
        const signature = await sign(secret, body);
        expect(signature).toMatch(/^[0-9a-f]{40}$/);
        expect(await verify({ body, signature, secret })).toBe(true);
      }),
    );
  });

  test('HOOK-5: any changed byte of the body fails', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, bodies, fc.nat(), fc.integer({ min: 1, max: 255 }), async (secret, body, at, flip) => {
        const signature = await sign(secret, body);
        const changed = body.map((byte, index) => (index === at % body.length ? byte ^ flip : byte));
        expect(await verify({ body: changed, signature, secret })).toBe(false);
      }),
    );
  });

  test('HOOK-5: any changed character of the signature fails', async () => {
    const characters = fc.constantFrom(...Array.from('0123456789abcdefABCDEF g\u0000é'));
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat({ max: 39 }), characters, async (body, at, character) => {
        const signature = await sign('s3cret', body);
        const changed = signature.slice(0, at) + character + signature.slice(at + 1);
        fc.pre(changed !== signature);
        expect(await verify({ body, signature: changed, secret: 's3cret' })).toBe(false);
      }),
    );
  });

  test('HOOK-5: a byte added or cut at an end fails', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 0, max: 255 }), async (body, extra) => {
        const signature = await sign('s3cret', body);
        for (const other of [body.slice(1), body.slice(0, -1), [...body, extra], [extra, ...body]]) {
          expect(await verify({ body: Uint8Array.from(other), signature, secret: 's3cret' })).toBe(false);
        }
      }),
    );
  });

  test('HOOK-5: a different secret fails', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, secrets, bodies, async (one, other, body) => {
        // HMAC pads short keys with zero bytes, so keys that differ only there are the same key.
        fc.pre(one.replace(/\0+$/, '') !== other.replace(/\0+$/, ''));
        expect(await verify({ body, signature: await sign(one, body), secret: other })).toBe(false);
      }),
    );
  });

  test.each([undefined, null, '', 'nonsense', `sha1=${'0'.repeat(40)}`, '0'.repeat(39), '0'.repeat(42)])(
    'HOOK-5: a header of %j is not valid, and no error',
    async (signature) => {
      expect(await verify({ body: '{}', signature, secret: 's3cret' })).toBe(false);
    },
  );

  test('HOOK-5: an empty secret is refused, not used', async () => {
    await expect(sign('', '{}')).rejects.toThrow('The shared secret is empty');
    await expect(verify({ body: '{}', signature: null, secret: '' })).rejects.toThrow('The shared secret is empty');
  });

  test.each([
    ['object', { type: 'track' }],
    ['object', null],
    ['object', [123, 125]],
    ['undefined', undefined],
    ['number', 2],
  ])('HOOK-5: a body of type %s has lost its bytes, and is an error', async (kind, body) => {
    const given = [body, '0'.repeat(40), 's3cret'];
    await expect(Reflect.apply(verify, undefined, given)).rejects.toThrow(`got: ${kind}. Take the raw body`);
    await expect(Reflect.apply(sign, undefined, ['s3cret', body])).rejects.toThrow(TypeError);
  });

  test('HOOK-7: JSON that was written again with other spaces fails', async () => {
    const sent = '{"a":1,"b":[1,2]}';
    const signature = await sign('s3cret', sent);
    const rewritten = JSON.stringify(JSON.parse(sent), null, 1);
    expect(await verify({ body: rewritten, signature, secret: 's3cret' })).toBe(false);
  });

  test('a buffer that is overwritten while signing changes nothing', async () => {
    const body = new TextEncoder().encode('{"type":"track"}');
    const signing = sign('s3cret', body);
    body.fill(0);
    expect(await signing).toBe(await sign('s3cret', '{"type":"track"}'));
  });
});
