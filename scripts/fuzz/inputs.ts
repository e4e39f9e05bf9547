import { gzipSync } from 'node:zlib';
import type { Random } from '../../server/ports/random.ts';
import { anyBatch, anyText } from './json-inputs.ts';
import { pick, whole } from './pick.ts';

export interface Input {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const KEY = 'k'.repeat(32);
const PATHS = [
  '/v1/batch /v1/batch /v1/batch /v1/import/ /v1/b /v1/track /v1/t /v1/i /v1/p /v1/alias /v1/m /v1/v1/batch /batch //v1//t',
  '/v1/batch/b /v1/nothing /v1/projects/k/settings /v1/%ff /v1/pixel/x /token',
].flatMap((line) => line.split(' '));
const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
const AUTHORIZATIONS = [
  BASIC,
  BASIC,
  BASIC,
  '',
  'Basic %%%',
  'Basic',
  `Bearer ${KEY}`,
  'Basic '.padEnd(4_000, 'A'),
] as const;
const TYPES = [
  'application/json',
  'text/plain',
  'application/json; charset=utf-8',
  'x',
  'multipart/form-data',
] as const;

/** One request of the kind that nobody should send. */
export function anyInput(random: Random): Input {
  const plain = anyBody(random);
  const headers = { authorization: pick(random, AUTHORIZATIONS), 'content-type': pick(random, TYPES) };
  const path = pick(random, PATHS) + (random() < 0.05 ? `?writeKey=${pick(random, [KEY, '%00', '&a[b]=c'])}` : '');
  if (random() < 0.7) return { path, headers, body: plain };
  const encoding = pick(random, ['gzip', 'gzip', 'gzip', 'x-gzip', 'identity', 'br', ',']);
  return { path, headers: { ...headers, 'content-encoding': encoding }, body: broken(random, gzipSync(plain)) };
}

function anyBody(random: Random): Buffer {
  const kind = random();
  if (kind < 0.15) return randomBytes(random, whole(random, 0, 2_000));
  if (kind < 0.16) return Buffer.alloc(whole(random, 400_000, 1_000_000), pick(random, [' ', '[', '{"a":', '"', '\0']));
  const text = kind < 0.75 ? anyBatch(random) : anyText(random);
  return broken(random, Buffer.from(text, pick(random, ['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'])));
}

/** As it is, or cut, or with some of its bytes changed, doubled or taken out. */
function broken(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0 || random() < 0.6) return bytes;
  const at = whole(random, 0, bytes.length - 1);
  const end = whole(random, at, Math.min(bytes.length, at + 8));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  const parts = pick(random, [
    [before],
    [before, after],
    [before, part, part, after],
    [before, randomBytes(random, 4), after],
  ]);
  return Buffer.concat(parts);
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => whole(random, 0, 255)));
}
