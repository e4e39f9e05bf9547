import { bodyVariants } from './body-variants.ts';
import { digestsFor } from './digests.ts';
import { readDigest } from './digest-text.ts';
import type { WrittenDigest } from './digest-text.ts';
import { MISTAKES } from './mistake.ts';
import type { Mistake } from './mistake.ts';
import { secretVariants } from './secret-variants.ts';
import { headerText, verify } from './signature.ts';
import type { SignedRequest } from './signature.ts';
import { equal } from './variant.ts';
import type { Variant } from './variant.ts';

export interface Patient extends SignedRequest {
  /** Secrets that were in use before, or are elsewhere: one of them may have made the signature. */
  readonly otherSecrets?: readonly string[] | undefined;
}

/** What is wrong with a signature. It holds no secret and no digest, and so may be logged and shown. */
export type Diagnosis =
  | { readonly verdict: 'valid' }
  /** These mistakes together, and no fewer, reproduce the digest that came. */
  | { readonly verdict: 'explained'; readonly mistakes: readonly Mistake[]; readonly text: string }
  /** No classic mistake reproduces it: another secret, or an altered body. */
  | { readonly verdict: 'unexplained'; readonly text: string };

/** Above this many bytes only single mistakes are tried: each trial hashes the whole body. */
const LARGE = 65_536;

/** Finds the classic mistake that reproduces a signature which does not verify. Works offline, and in any runtime. */
export async function diagnose({ otherSecrets = [], ...request }: Patient): Promise<Diagnosis> {
  const { secret } = request;
  if (await verify(request)) return { verdict: 'valid' };
  const signature = headerText(request.signature) ?? '';
  if (signature === '') return explained(['no-signature']);
  const written = readDigest(signature);
  if (written === undefined) return unexplained('it is written neither in hex nor in base64');
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : new Uint8Array(request.body);
  const pairs = pairsOf(bodyVariants(body), secretVariants(secret, otherSecrets), body.length);
  return (await search(written, pairs)) ?? unexplained(sizeHint(written));
}

/** A body and a secret, and the mistakes that it takes to have them. */
export interface Pair {
  readonly body: Variant;
  readonly secret: Variant;
  readonly mistakes: readonly Mistake[];
}

/** The fewest mistakes first, so that the simplest explanation is the one that is given. */
export function pairsOf(bodies: readonly Variant[], secrets: readonly Variant[], bytes: number): readonly Pair[] {
  const pairs = bodies.flatMap((body) =>
    secrets.map((secret) => ({ body, secret, mistakes: mistakesOf(body, secret) })),
  );
  const most = bytes > LARGE ? 1 : 2;
  return pairs
    .filter(({ mistakes }) => mistakes.length <= most)
    .toSorted((a, b) => a.mistakes.length - b.mistakes.length);
}

async function search(written: WrittenDigest, pairs: readonly Pair[]): Promise<Diagnosis | undefined> {
  for (const pair of pairs) {
    for (const { digest, mistakes } of await digestsFor(written.bytes.length, pair.secret.bytes, pair.body.bytes)) {
      if (equal(digest, written.bytes)) return explained([...pair.mistakes, ...mistakes, ...written.mistakes]);
    }
  }
  return undefined;
}

function mistakesOf(...variants: readonly Variant[]): readonly Mistake[] {
  return variants.flatMap(({ mistake }) => mistake ?? []);
}

export function explained(mistakes: readonly Mistake[]): Diagnosis {
  const sentences = mistakes.map((mistake) => {
    const [what, remedy] = MISTAKES[mistake];
    return `${what}; ${remedy}`;
  });
  return { verdict: 'explained', mistakes, text: sentences.join('. And ') };
}

export function unexplained(reason: string): Diagnosis {
  return { verdict: 'unexplained', text: `no classic mistake explains it: ${reason}` };
}

function sizeHint({ bytes }: WrittenDigest): string {
  if (bytes.length === 20)
    return 'it was made with a secret that is not known here, or the body was altered on its way';
  return `it holds ${bytes.length} bytes, and HMAC-SHA-1 holds 20 (40 characters of hex)`;
}
