import type { Received } from './received.ts';
import { checkSignature, isSigned, type WrongSignature } from './signature-check.ts';

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
  | { readonly verdict: 'invalid'; readonly expected: string; readonly seen: string; readonly diagnosis: string }
  | { readonly verdict: 'missing' }
  | { readonly verdict: 'not expected'; readonly signed: boolean };

const SHOWN = 8;
/** Events are smaller; to search a larger body for mistakes would hold up the receiver. */
const DIAGNOSED_BYTES = 256 * 1024;

export async function judgeSignature(
  secret: string | undefined,
  request: Pick<Received, 'headers' | 'body' | 'at'>,
): Promise<SignatureVerdict> {
  if (secret === undefined) return { verdict: 'not expected', signed: isSigned(request) };
  const check = await checkSignature(request, secret);
  if (check === 'valid' || check === 'missing') return { verdict: check };
  const [expected, diagnosis] = await Promise.all([check.expected(), diagnosisOf(check, request.body)]);
  return { verdict: 'invalid', expected: expected.slice(0, SHOWN), seen: check.seen.slice(0, SHOWN), diagnosis };
}

async function diagnosisOf(wrong: WrongSignature, body: Uint8Array): Promise<string> {
  if (body.length > DIAGNOSED_BYTES) return `bodies over ${DIAGNOSED_BYTES} bytes are not searched for mistakes`;
  const diagnosis = await wrong.diagnosis();
  return diagnosis.verdict === 'valid' ? '' : diagnosis.text;
}
