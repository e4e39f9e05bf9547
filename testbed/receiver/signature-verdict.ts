import type { Arrived, Scheme, WrongSignature } from '../schemes/scheme.ts';
import { isSignedAnyhow, otherScheme } from '../schemes/schemes.ts';

/**
 * `valid`, `invalid` and `missing` are for a receiver that has a secret; without one nothing is expected, and
 * `signed` tells whether a signature came all the same.
 */
export type SignatureVerdict =
  | { readonly verdict: 'valid' }
  /**
   * The first characters of both digests: enough to compare by eye, too few to forge one; and what the signature doctor
   * says of it.
   */
  | {
      readonly verdict: 'invalid';
      readonly header: string;
      readonly expected: string;
      readonly seen: string;
      readonly diagnosis: string;
    }
  /** With what the doctor says when it is signed in another way. */
  | { readonly verdict: 'missing'; readonly header: string; readonly diagnosis?: string }
  | { readonly verdict: 'not expected'; readonly signed: boolean };

const SHOWN = 8;
/** Events are smaller; to search a larger body for mistakes would hold up the receiver. */
const DIAGNOSED_BYTES = 256 * 1024;

/** How an endpoint expects requests to be signed. */
export interface Expected {
  readonly scheme: Scheme;
  /** Without one nothing is expected. */
  readonly secret?: string | undefined;
}

export async function judgeSignature({ scheme, secret }: Expected, request: Arrived): Promise<SignatureVerdict> {
  if (secret === undefined) return { verdict: 'not expected', signed: isSignedAnyhow(request, scheme) };
  const check = await scheme.check(request, secret);
  if (check === 'valid') return { verdict: check };
  if (check === 'missing') return missing(request, secret, scheme);
  const [expected, diagnosis] = await Promise.all([check.expected(), diagnosisOf(check, request.body)]);
  const { header, seen } = check;
  return { verdict: 'invalid', header, expected: expected.slice(0, SHOWN), seen: seen.slice(0, SHOWN), diagnosis };
}

async function missing(request: Arrived, secret: string, scheme: Scheme): Promise<SignatureVerdict> {
  const diagnosis = request.body.length > DIAGNOSED_BYTES ? '' : await otherScheme(request, secret, scheme);
  return { verdict: 'missing', header: scheme.headers.join(' or '), ...(diagnosis === '' ? {} : { diagnosis }) };
}

async function diagnosisOf(wrong: WrongSignature, body: Uint8Array): Promise<string> {
  if (body.length > DIAGNOSED_BYTES) return `bodies over ${DIAGNOSED_BYTES} bytes are not searched for mistakes`;
  return wrong.diagnosis();
}
