import { expect, test } from 'vitest';
import fc from 'fast-check';
import { signatureOf } from '../../delivery/signatures.ts';
import { bytesOf, requestTo, webhookBody } from '../../delivery/webhook-request.ts';
import { CALL_TYPES, type JsonObject } from '../../model/message.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { eventOf, startEngine, targetOf } from '../support/engine.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const text = new TextDecoder();
const NO_HEADERS = {};
const UNSIGNED = { messageId: 'm1', at: 0 };
const HOUR = 3_600_000;

test('HOOK-5: the signature equals the one that openssl makes', () => {
  // printf '%s' '{"type":"track","userId":"u1","event":"Größe 🎉","n":1}' | openssl dgst -sha1 -hmac 's3cret'
  const body = Buffer.from('{"type":"track","userId":"u1","event":"Größe 🎉","n":1}', 'utf8');
  expect(signatureOf('s3cret', body)).toBe('a87268dd9e784ba929bef456e41e894a4154f175');
});

test('HOOK-5: a request carries the digest of exactly the bytes it sends', () => {
  const body = bytesOf(webhookBody(eventOf(0)));
  const target = { webhooks: [], sharedSecret: 's3cret' };
  const request = requestTo({ url: 'https://a.test/', headers: NO_HEADERS }, target, { ...UNSIGNED, body }, 5_000);
  expect(request.body).toBe(body);
  expect(request.headers['X-Signature']).toBe(signatureOf('s3cret', request.body));
});

test('HOOK-5, HOOK-6: every retry is signed over the bytes it sends, or unsigned without a secret', async () => {
  for (const sharedSecret of ['s3cret', '']) {
    const { clock, transport, send } = await startEngine(() => answers(503), {
      target: { ...targetOf('https://a.test/hook', 'https://b.test/hook'), sharedSecret },
    });
    await send();
    await clock.advance(5 * HOUR);
    expect(transport.posts.length).toBeGreaterThan(40);
    for (const { request } of transport.posts) {
      const signature = sharedSecret === '' ? undefined : signatureOf(sharedSecret, request.body);
      expect(request.headers['X-Signature']).toBe(signature);
    }
  }
});

test('HOOK-6: without a secret there is no signature header', () => {
  const body = bytesOf(webhookBody(eventOf(0)));
  const request = requestTo(
    { url: 'https://a.test/', headers: NO_HEADERS },
    { webhooks: [], sharedSecret: '' },
    { ...UNSIGNED, body },
    1,
  );
  expect(Object.keys(request.headers)).not.toContain('X-Signature');
});

test('HOOK-7: parsing a body and stringifying it again gives the same bytes', () => {
  const json = fc.dictionary(anyKey(), fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), { maxKeys: 8 });
  fc.assert(
    fc.property(fc.constantFrom(...CALL_TYPES), json, json, anyText(), (type, properties, context, word) => {
      const event = eventOf(0, {
        type,
        properties: asParsed(properties),
        traits: asParsed(properties),
        context: asParsed(context),
        userId: word,
        event: word,
      });
      const sent = text.decode(bytesOf(webhookBody(event)));
      expect(JSON.stringify(JSON.parse(sent))).toBe(sent);
    }),
    { numRuns: 2_000 },
  );
});

test('HOOK-7: odd values keep their bytes: numbers, key order, lone surrogates', () => {
  const wire =
    '{"b":1,"10":2,"9":3,"__proto__":{"x":1},"big":1180591620717411303424,"neg":-0,"e":1E3,"lone":"\\ud800","nul":"\\u0000"}';
  const sent = text.decode(bytesOf(webhookBody(eventOf(0, { properties: JSON.parse(wire) }))));
  expect(JSON.stringify(JSON.parse(sent))).toBe(sent);
  expect(sent).toContain('"properties":{"9":3,"10":2,"b":1,"__proto__":{"x":1}');
});

/** A body with its insides as a receiver that builds its own objects would have them would differ: the test can fail. */
test('HOOK-7: the property tells bytes that are not canonical', () => {
  const spaced = '{"a": 1}';
  expect(JSON.stringify(JSON.parse(spaced))).not.toBe(spaced);
});

/** Events hold what JSON.parse made of the wire, never more. */
function asParsed(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function anyText(): fc.Arbitrary<string> {
  // Every code unit, lone surrogates included.
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  return fc.oneof(fc.string({ unit: CODE_POINT }), fc.string({ unit }));
}

function anyKey(): fc.Arbitrary<string> {
  return fc.oneof(anyText(), fc.nat().map(String), fc.constantFrom('__proto__', 'constructor', 'toJSON', ''));
}
