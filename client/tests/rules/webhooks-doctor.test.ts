import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnose } from '../../webhooks/doctor.ts';
import { sign } from '../../webhooks/signature.ts';
import { BODY, MANGLED, SECRET } from '../support/webhooks-mangled.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const patient = (signature: string, body: string | Uint8Array = BODY) => ({
  body,
  signature,
  secret: SECRET,
  otherSecrets: ['0ld-s3cret'],
});

test.each(MANGLED)('the doctor names what went wrong with %s', async (_what, signature, mistakes) => {
  expect(await diagnose(patient(signature))).toMatchObject({ verdict: 'explained', mistakes });
});

test('HOOK-5: a valid signature is found to be well', async () => {
  expect(await diagnose(patient(await sign(SECRET, BODY)))).toEqual({ verdict: 'valid' });
});

test('an altered body and a foreign secret stay unexplained', async () => {
  const altered = await diagnose(patient(await sign(SECRET, BODY.replace('42', '43'))));
  expect(altered).toMatchObject({ verdict: 'unexplained', text: expect.stringContaining('secret that is not known') });
  expect(await diagnose(patient(await sign('another', BODY)))).toMatchObject({ verdict: 'unexplained' });
  expect(await diagnose(patient('not a digest!'))).toMatchObject({ text: expect.stringContaining('neither in hex') });
  expect(await diagnose(patient('ab'))).toMatchObject({ text: expect.stringContaining('holds 1 bytes') });
});

test('a secret that is hex or base64 was decoded before use', async () => {
  const key = Buffer.from('0123456789abcdef0123', 'utf8');
  for (const encoding of ['hex', 'base64'] as const) {
    const secret = key.toString(encoding);
    const signature = createHmac('sha1', key).update(BODY).digest('hex');
    expect(await diagnose({ body: BODY, signature, secret })).toMatchObject({ mistakes: ['secret-decoded'] });
  }
});

test('bytes that are no text are diagnosed as well', async () => {
  const body = Uint8Array.of(0xff, 0xfe, 0x00);
  const upper = (await sign(SECRET, body)).toUpperCase();
  expect(await diagnose(patient(upper, body))).toMatchObject({ mistakes: ['encoding-upper-case'] });
});

const WIDE = '{"event":"Größe – 5 € 😀"}';
const windows = (text: string) => Buffer.from(text.replace('–', '\x96').replace('€', '\x80'), 'latin1');

test.each([
  ['Latin-1 that is cut off', Buffer.from(WIDE, 'latin1')],
  ['Latin-1 with question marks', Buffer.from(WIDE.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1')],
  ['Windows-1252', windows(WIDE.replace('😀', '?'))],
])('a body beyond Latin-1 was signed in %s', async (_charset, signed) => {
  const signature = createHmac('sha1', SECRET).update(signed).digest('hex');
  expect(await diagnose(patient(signature, WIDE))).toMatchObject({ mistakes: ['body-charset'] });
});

test.each([
  ['Latin-1', Buffer.from(BODY, 'latin1'), BODY],
  ['Windows-1252', windows(WIDE.replace('😀', '!')), WIDE.replace('😀', '!')],
])('a body that was signed in UTF-8 came in %s', async (_charset, came, signed) => {
  expect(await diagnose(patient(await sign(SECRET, signed), came))).toMatchObject({ mistakes: ['body-charset'] });
});

test('no secret and no digest gets into a diagnosis', async () => {
  for (const [, signature] of MANGLED) {
    const said = JSON.stringify(await diagnose(patient(signature)));
    for (const hidden of [SECRET, '0ld-s3cret', await sign(SECRET, BODY)]) expect(said).not.toContain(hidden);
  }
});

test('any signature over any body gets a diagnosis, and never an error', async () => {
  const texts = fc.oneof(fc.json(), fc.string({ unit: CODE_POINT }), fc.base64String(), fc.constant(''));
  await fc.assert(
    fc.asyncProperty(texts, texts, async (body, signature) => {
      const { verdict } = await diagnose({ body, signature, secret: 's' });
      expect(['valid', 'explained', 'unexplained']).toContain(verdict);
    }),
    { numRuns: 60 },
  );
});
