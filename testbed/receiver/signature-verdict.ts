import { diagnose } from '../../client/webhooks/doctor.ts';
import { sign, verify } from '../../client/webhooks/signature.ts';

/**
 * `valid`, `invalid` and `missing` are for a receiver that has a secret; without one nothing is expected (HOOK-6), and
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
  signature: string | undefined,
  body: Uint8Array,
): Promise<SignatureVerdict> {
  if (secret === undefined) return { verdict: 'not expected', signed: signature !== undefined };
  if (signature === undefined) return { verdict: 'missing' };
  if (await verify({ body, signature, secret })) return { verdict: 'valid' };
  const [expected, diagnosis] = await Promise.all([sign(secret, body), diagnosisOf(secret, signature, body)]);
  return {
    verdict: 'invalid',
    expected: expected.slice(0, SHOWN),
    seen: signature.slice(0, SHOWN),
    diagnosis,
  };
}

async function diagnosisOf(secret: string, signature: string, body: Uint8Array): Promise<string> {
  if (body.length > DIAGNOSED_BYTES) return `bodies over ${DIAGNOSED_BYTES} bytes are not searched for mistakes`;
  const diagnosis = await diagnose({ body, signature, secret });
  return diagnosis.verdict === 'valid' ? '' : diagnosis.text;
}
