import { bodyVariants } from './body-variants.ts';
import { fromBase64 } from './digest-text.ts';
import { hmac } from './digests.ts';
import { type Diagnosis, explained, type Pair, pairsOf, unexplained } from './doctor.ts';
import type { Mistake } from './mistake.ts';
import { toBytes } from './signature.ts';
import {
  digestsIn,
  faultOfKey,
  keyBytesOf,
  signedContent,
  type StandardRequest,
  textsOf,
  verifyStandard,
} from './standard.ts';
import { distinct, equal, textVariant, type Variant } from './variant.ts';

export interface StandardPatient extends StandardRequest {
  /** Secrets that were in use before, or are elsewhere: one of them may have made the signature. */
  readonly otherSecrets?: readonly string[] | undefined;
}

const TIMES: ReadonlyMap<string, Mistake> = new Map([
  ['too old', 'timestamp-old'],
  ['too new', 'timestamp-new'],
]);

/** Finds what is wrong with the headers of Standard Webhooks; as `diagnose`, it reveals no secret and no digest. */
export async function diagnoseStandard({ otherSecrets = [], ...request }: StandardPatient): Promise<Diagnosis> {
  const fault = faultOfKey(request.secret);
  if (fault !== undefined) return (await dressed(request)) ?? unexplained(`the secret ${fault}`);
  const verdict = await verifyStandard(request);
  if (verdict.valid) return { verdict: 'valid' };
  const { secret } = request;
  const { id, timestamp, signature } = textsOf(request);
  if (verdict.reason === 'missing') return explained(['no-standard-signature']);
  if (verdict.reason === 'malformed') return explained(['timestamp-malformed']);
  const time = TIMES.get(verdict.reason);
  const isSigned = time !== undefined && (await verifyStandard({ ...request, toleranceSeconds: Infinity })).valid;
  if (isSigned) return explained([time]);
  if (secret.startsWith('whpk_'))
    return unexplained('it was made with another key, or the body was altered on its way');
  const body = toBytes(request.body);
  const pairs = pairsOf(bodyVariants(body), keyVariants(secret, otherSecrets), body.length);
  const found = await search(digestsIn(signature, 'v1'), pairs, (bytes) => signedContent(id, timestamp, bytes));
  if (found !== undefined) return explained(time === undefined ? found : [time, ...found]);
  return unexplained('it was made with a secret that is not known here, or the body was altered on its way');
}

async function search(
  given: readonly Uint8Array[],
  pairs: readonly Pair[],
  contentOf: (body: Variant['bytes']) => Variant['bytes'],
): Promise<readonly Mistake[] | undefined> {
  for (const { body, secret, mistakes } of pairs) {
    const digest = await hmac('SHA-256', secret.bytes, contentOf(body.bytes));
    if (given.some((one) => equal(one, digest))) return mistakes;
  }
  return undefined;
}

/** The key, and what it would be after a classic mistake; of secrets that are there, none is a key pair. */
function keyVariants(secret: string, others: readonly string[]): readonly Variant[] {
  const decoded = fromBase64(secret);
  const symmetric = others.filter((other) => !/^wh(?:sk|pk)_/.test(other));
  return distinct([
    { bytes: keyBytesOf(secret) },
    ...symmetric.map((other) => ({ mistake: 'secret-old', bytes: keyBytesOf(other) }) as const),
    { mistake: 'secret-whitespace', bytes: keyBytesOf(secret.trim()) },
    { mistake: 'secret-quoted', bytes: keyBytesOf(unquoted(secret)) },
    ...(decoded === undefined ? [] : [{ mistake: 'secret-prefix', bytes: decoded } as const]),
    textVariant('secret-not-decoded', secret),
    textVariant('secret-not-decoded', secret.replace(/^whsec_/, '')),
  ]).filter((each) => each.bytes.length > 0);
}

/** A key that is none as it stands, and is one without what stands around it. */
async function dressed(request: StandardRequest): Promise<Diagnosis | undefined> {
  const secret = unquoted(request.secret.trim());
  if (faultOfKey(secret) !== undefined || !(await verifyStandard({ ...request, secret })).valid) return undefined;
  return explained([secret === request.secret.trim() ? 'secret-whitespace' : 'secret-quoted']);
}

function unquoted(secret: string): string {
  return secret.replace(/^(["'])(.*)\1$/s, '$2');
}
