import { createHmac, createHash } from 'node:crypto';
import type { Mistake } from '../../webhooks/mistake.ts';

export const SECRET = 's3cret-Ünder-64+';
export const BODY =
  '{"version":1,"type":"track","userId":"user-42","event":"Größe/gewählt","properties":{"b":2,"a":[1,"x"]}}';
const PARSED: unknown = JSON.parse(BODY);

const hmac = (key: string | Buffer, data: string | Buffer, hash = 'sha1') => createHmac(hash, key).update(data);
const hex = (key: string | Buffer, data: string | Buffer, hash = 'sha1') => hmac(key, data, hash).digest('hex');
const good = hex(SECRET, BODY);
const escaped = BODY.replaceAll(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Signatures as flawed code makes them (with node:crypto, not with the code under test), and what is wrong in each. */
export const MANGLED: readonly (readonly [what: string, signature: string, mistakes: readonly Mistake[]])[] = [
  ['pretty-printed', hex(SECRET, JSON.stringify(PARSED, null, 2)), ['body-reserialized']],
  ['indented by four', hex(SECRET, JSON.stringify(PARSED, null, 4)), ['body-reserialized']],
  ['spaces as Python writes', hex(SECRET, BODY.replaceAll(/([,:])(?=["\d[{])/g, '$1 ')), ['body-reserialized']],
  ['characters escaped', hex(SECRET, escaped), ['body-escaped']],
  ['slashes escaped as PHP does', hex(SECRET, escaped.replaceAll('/', '\\/')), ['body-escaped']],
  ['a trailing newline', hex(SECRET, `${BODY}\n`), ['body-trailing-newline']],
  ['JSON twice', hex(SECRET, JSON.stringify(BODY)), ['body-quoted']],
  ['an empty body', hex(SECRET, ''), ['body-empty']],
  ['Latin-1', hex(SECRET, Buffer.from(BODY, 'latin1')), ['body-charset']],
  ['UTF-16', hex(SECRET, Buffer.from(BODY, 'utf16le')), ['body-charset']],
  ['UTF-8 twice', hex(SECRET, Buffer.from(Buffer.from(BODY).toString('latin1'))), ['body-charset']],
  ['a byte order mark', hex(SECRET, `\ufeff${BODY}`), ['body-byte-order-mark']],
  ['the old secret', hex('0ld-s3cret', BODY), ['secret-old']],
  ['a secret with a newline', hex(`${SECRET}\n`, BODY), ['secret-whitespace']],
  ['a quoted secret', hex(`"${SECRET}"`, BODY), ['secret-quoted']],
  ['a secret in Latin-1', hex(Buffer.from(SECRET, 'latin1'), BODY), ['secret-charset']],
  ['SHA-256', hex(SECRET, BODY, 'sha256'), ['hash-sha256']],
  ['SHA-512', hex(SECRET, BODY, 'sha512'), ['hash-sha512']],
  [
    'a plain hash',
    createHash('sha1')
      .update(SECRET + BODY)
      .digest('hex'),
    ['hash-plain'],
  ],
  ['key and message swapped', hex(BODY, SECRET), ['arguments-swapped']],
  ['base64', hmac(SECRET, BODY).digest('base64'), ['encoding-base64']],
  ['base64 for URLs', hmac(SECRET, BODY).digest('base64url'), ['encoding-base64']],
  ['upper case', good.toUpperCase(), ['encoding-upper-case']],
  ['a prefix', `sha1=${good}`, ['encoding-prefix']],
  ['white space', ` ${good}\n`, ['encoding-whitespace']],
  ['SHA-256 in base64', hmac(SECRET, BODY, 'sha256').digest('base64'), ['hash-sha256', 'encoding-base64']],
  [
    'three at once',
    hex(`${SECRET}\n`, `${BODY}\n`, 'sha256').toUpperCase(),
    ['body-trailing-newline', 'secret-whitespace', 'hash-sha256', 'encoding-upper-case'],
  ],
  ['nothing at all', '', ['no-signature']],
];
