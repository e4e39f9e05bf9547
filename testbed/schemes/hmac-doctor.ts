import { bodyVariants } from '../../client/webhooks/body-variants.ts';
import { fromBase64, readDigest } from '../../client/webhooks/digest-text.ts';
import { MISTAKES } from '../../client/webhooks/mistake.ts';
import { secretVariants } from '../../client/webhooks/secret-variants.ts';
import { toBytes } from '../../client/webhooks/signature.ts';
import { equal, type Variant } from '../../client/webhooks/variant.ts';
import { headerOf } from '../receiver/received.ts';
import { type Algorithm, contentsOf, digestOf, type HmacForm, isOld, type Written } from './hmac-form.ts';
import type { Arrived } from './scheme.ts';

const UNKNOWN = 'no classic mistake explains it: another secret made it, or the body was altered on its way';

/** A digest of so many bytes is of this algorithm. */
const BY_BYTES: ReadonlyMap<number, Algorithm> = new Map([
  [20, 'SHA-1'],
  [32, 'SHA-256'],
  [64, 'SHA-512'],
]);

/** What a trial takes instead of what is right, in words; none for what is right. */
interface Trial {
  readonly words: readonly string[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The classic mistake that reproduces a signature which is not right, for people; it holds no secret and no digest. */
export function diagnoseHmac(form: HmacForm, request: Arrived, secret: string): string {
  const written = form.read((name) => headerOf(request, name));
  if (written === undefined) return malformed(form);
  const old = isOld(form, written, request.at) ? [tooOld(form, request.at, written)] : [];
  const words = search(form, { request, written, secret });
  return [...old, ...(words ?? [contradiction(form, contentsOf(form, request, written))])].join('. And ');
}

interface Case {
  readonly request: Arrived;
  readonly written: Written;
  readonly secret: string;
}

/** The fewest mistakes that reproduce one of its digests; no words where nothing but its age is wrong. */
function search(form: HmacForm, { request, written, secret }: Case): readonly string[] | undefined {
  const digests = written.digests.flatMap((text) => readDigest(text) ?? []);
  const bodies = bodyVariants(toBytes(request.body)).map(trialOf);
  for (const { body, key, words } of pairs(bodies, keysOf(secret))) {
    for (const content of contentsOf(form, { ...request, body }, written)) {
      for (const { bytes, mistakes } of digests) {
        const algorithm = BY_BYTES.get(bytes.length);
        if (algorithm === undefined || !equal(digestOf({ algorithm }, key, content), bytes)) continue;
        const isBase64 = mistakes.includes('encoding-base64');
        return [...words, ...wrongAlgorithm(form, algorithm), ...wrongEncoding(form, isBase64 ? 'base64' : 'hex')];
      }
    }
  }
  return undefined;
}

function pairs(bodies: readonly Trial[], keys: readonly Trial[]) {
  return bodies
    .flatMap((body) => keys.map((key) => ({ body: body.bytes, key: key.bytes, words: [...body.words, ...key.words] })))
    .toSorted((one, other) => one.words.length - other.words.length);
}

function trialOf({ mistake, bytes }: Variant): Trial {
  return { words: mistake === undefined ? [] : [MISTAKES[mistake].join('; ')], bytes };
}

/** Secrets of many senders begin with what they are: `whsec_`. */
function keysOf(secret: string): readonly Trial[] {
  const [prefix = '', rest = ''] = /^([A-Za-z]+_)(.+)$/.exec(secret)?.slice(1) ?? [];
  const off = `the secret was used without its ${prefix}; use its text as it stands`;
  const decoded = fromBase64(rest);
  return [
    ...secretVariants(secret, []).map(trialOf),
    ...(rest === '' ? [] : [{ words: [off], bytes: toBytes(rest) }]),
    ...(decoded === undefined ? [] : [{ words: [off, MISTAKES['secret-decoded'].join('; ')], bytes: decoded }]),
  ];
}

function wrongAlgorithm({ title, algorithm }: HmacForm, seen: Algorithm): readonly string[] {
  return seen === algorithm ? [] : [`it is HMAC with ${seen}; ${title} signs with ${algorithm}`];
}

function wrongEncoding({ title, encoding }: HmacForm, seen: HmacForm['encoding']): readonly string[] {
  return seen === encoding ? [] : [`the digest is in ${seen}; ${title} writes it in ${encoding}`];
}

function malformed({ title, write, encoding }: HmacForm): string {
  const example = Object.entries(write(encoding === 'hex' ? '<hex>' : '<base64>', '<seconds>'));
  return `it is not written as ${title} writes it: ${example.map(([name, value]) => `${name}: ${value}`).join(', ')}`;
}

function tooOld({ toleranceSeconds = 0 }: HmacForm, at: number, { timestamp }: Written): string {
  const age = Math.floor(at / 1000) - Number(timestamp);
  return `its timestamp is ${age} s old, and ${toleranceSeconds} s are allowed: it is a replay, or a clock is wrong`;
}

function contradiction({ contradicts = UNKNOWN }: HmacForm, contents: readonly Uint8Array[]): string {
  return contents.length === 0 ? contradicts : UNKNOWN;
}
