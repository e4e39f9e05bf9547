import { bodyVariants } from '../../client/webhooks/body-variants.ts';
import { joined } from '../../client/webhooks/bytes.ts';
import { decoded, fromBase64, readDigest } from '../../client/webhooks/digest-text.ts';
import { type Mistake, MISTAKES } from '../../client/webhooks/mistake.ts';
import { secretVariants } from '../../client/webhooks/secret-variants.ts';
import { type Algorithm, isOld, type Written } from '../../client/webhooks/senders/form.ts';
import { toBytes } from '../../client/webhooks/signature.ts';
import { equal, type Variant } from '../../client/webhooks/variant.ts';
import { headerOf } from '../receiver/received.ts';
import { contentsOf, digestOf, type HmacForm } from './hmac-form.ts';
import type { Arrived } from './scheme.ts';
import { PREFIXES } from './secret-spellings.ts';

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
  if (written === undefined) return [malformed(form), ...bareDigest(form, request, secret)].join('. And ');
  const old = isOld(form, written, request.at) ? [tooOld(form, request.at, written)] : [];
  const words = search(form, { request, written, secret });
  return [...old, ...(words ?? [contradiction(form, request, contentsOf(form, request, written))])].join('. And ');
}

/** What is not as the scheme writes it may be the right digest all the same, where it needs nothing beside it. */
function bareDigest(form: HmacForm, request: Arrived, secret: string): readonly string[] {
  if (form.toleranceSeconds !== undefined) return [];
  const seen = headerOf(request, form.headers[0]) ?? '';
  const words = search(form, { request, written: { digests: [seen] }, secret }, ['encoding-prefix']);
  return words?.length === 0 ? ['the digest in it is right'] : (words ?? []);
}

interface Case {
  readonly request: Arrived;
  readonly written: Written;
  readonly secret: string;
}

/** The fewest mistakes that reproduce one of its digests; no words where nothing but its age is wrong. */
function search(
  form: HmacForm,
  { request, written, secret }: Case,
  ignored: readonly Mistake[] = [],
): readonly string[] | undefined {
  const digests = written.digests.flatMap((text) => readDigest(text) ?? []);
  const bodies = bodyVariants(toBytes(request.body)).map(trialOf);
  for (const { body, key, words } of pairs(bodies, keysOf(secret))) {
    const isWhole = Buffer.compare(body, request.body) === 0;
    for (const content of trialContents(form, { ...request, body }, written, isWhole)) {
      for (const { bytes, mistakes } of digests) {
        const algorithm = BY_BYTES.get(bytes.length);
        if (algorithm === undefined || !equal(digestOf({ algorithm }, key, content.bytes), bytes)) continue;
        const spelling = mistakes.filter((mistake) => !ignored.includes(mistake));
        return [
          ...words,
          ...content.words,
          ...wrongAlgorithm(form, algorithm),
          ...wrongSpelling(form, spelling, written),
        ];
      }
    }
  }
  return undefined;
}

/** What is signed, and of a whole body also what senders sign that leave something out. */
function trialContents(form: HmacForm, request: Arrived, written: Written, isWhole: boolean): readonly Trial[] {
  const right = contentsOf(form, request, written).map((bytes) => ({ words: [], bytes }));
  if (form.content === undefined || !isWhole) return right;
  const [header] = Object.keys(form.write('', '')).slice(-1);
  const what = form.toleranceSeconds === undefined ? 'the URL' : `the timestamp (${header})`;
  const alone = `the body alone was signed; ${form.title} signs ${what} with it`;
  const trials: Trial[] = [{ words: [alone], bytes: toBytes(request.body) }];
  if (form.toleranceSeconds !== undefined) {
    const joint = `the timestamp and the body were joined otherwise than ${form.title} joins them`;
    const at = written.timestamp ?? '';
    for (const between of ['', '.', ':'])
      trials.push({ words: [joint], bytes: joined([`${at}${between}`, toBytes(request.body)]) });
  }
  return [...right, ...trials];
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
  // Where it is no known one, it may be the beginning of a password.
  const what = PREFIXES.includes(prefix) ? `its ${prefix}` : 'what stands before its underscore';
  const off = `the secret was used without ${what}; use its text as it stands`;
  const key = fromBase64(rest);
  return [
    ...secretVariants(secret, []).map(trialOf),
    ...(rest === '' ? [] : [{ words: [off], bytes: toBytes(rest) }]),
    ...(key === undefined ? [] : [{ words: [off, MISTAKES['secret-decoded'].join('; ')], bytes: key }]),
    ...(rest === '' ? PREFIXES.map((start) => lacking(start, secret)) : []),
    ...(['base64', 'hex'] as const).map((how) => ({
      words: [`the secret here was decoded from ${how}; give its text as the sender shows it`],
      bytes: toBytes(Buffer.from(secret).toString(how)),
    })),
  ];
}

function lacking(start: string, secret: string): Trial {
  const words = `the secret here lacks its ${start}; give it as the sender shows it, with all that stands before it`;
  return { words: [words], bytes: toBytes(start + secret) };
}

function wrongAlgorithm({ title, algorithm }: HmacForm, seen: Algorithm): readonly string[] {
  return seen === algorithm ? [] : [`it is HMAC with ${seen}; ${title} signs with ${algorithm}`];
}

/** How the digest is written; what is right but for its spelling is never without words. */
function wrongSpelling(form: HmacForm, mistakes: readonly Mistake[], { digests }: Written): readonly string[] {
  const { title, encoding } = form;
  const seen = mistakes.includes('encoding-base64') ? 'base64' : 'hex';
  if (seen !== encoding) return [`the digest is in ${seen}; ${title} writes it in ${encoding}`];
  if (mistakes.includes('encoding-upper-case')) return [MISTAKES['encoding-upper-case'].join('; ')];
  if (mistakes.includes('encoding-whitespace')) return [`${MISTAKES['encoding-whitespace'][0]}; send the digest alone`];
  if (mistakes.includes('encoding-prefix')) return [`there is a prefix too many before the digest; ${malformed(form)}`];
  const isSpelled = digests.some((text) => decoded(text, encoding) !== undefined);
  return isSpelled ? [] : [`the ${encoding} is unpadded, or of the alphabet for URLs; write it plain, with padding`];
}

function malformed({ title, write, encoding }: HmacForm): string {
  const example = Object.entries(write(encoding === 'hex' ? '<hex>' : '<base64>', '<seconds>'));
  return `it is not written as ${title} writes it: ${example.map(([name, value]) => `${name}: ${value}`).join(', ')}`;
}

function tooOld({ toleranceSeconds = 0 }: HmacForm, at: number, { timestamp }: Written): string {
  const age = Math.floor(at / 1000) - Number(timestamp);
  return `its timestamp is ${age} s old, and ${toleranceSeconds} s are allowed: it is a replay, or a clock is wrong`;
}

function contradiction(form: HmacForm, request: Arrived, contents: readonly Uint8Array[]): string {
  const { contradicts = UNKNOWN, address } = form;
  if (contents.length === 0) return contradicts;
  if (address === undefined) return UNKNOWN;
  // Its query may hold a token.
  const here = `${headerOf(request, 'host') ?? ''}${request.path.replace(/\?.*$/s, '')}`;
  return `${UNKNOWN}, or the sender calls another URL than ${here}, which is signed too: behind a proxy host, port or path may differ`;
}
