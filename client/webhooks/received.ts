import { type HeaderValue, verify } from './signature.ts';
import { faultOfKey, type StandardHeaders, verifyStandard } from './standard.ts';

/** The signatures of a request, as far as there are any. */
export interface ReceivedSignatures {
  /** `X-Signature`. */
  readonly signature?: HeaderValue;
  /** `X-Signature-Next`: with the new secret, while one replaces another. */
  readonly next?: HeaderValue;
  readonly standard?: StandardHeaders | undefined;
}

interface Required {
  readonly signature?: 'x-signature' | 'standard-webhooks' | undefined;
  readonly toleranceSeconds?: number | undefined;
}

/** What is known of a request that verified: with an id, a repeat of it can be recognized until then. */
export type Received = { readonly id: string; readonly until: number } | { readonly id: undefined };

/** The headers of a request, by their names in lower case. */
export function signaturesOf(headers: Readonly<Record<string, HeaderValue>>): ReceivedSignatures {
  return {
    signature: headers['x-signature'],
    next: headers['x-signature-next'],
    standard: {
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
    },
  };
}

/** Undefined when no signature that is required was made with one of the secrets. */
export async function verifyReceived(
  { body, signature, next, standard }: ReceivedSignatures & { readonly body: Uint8Array | string },
  secrets: readonly string[],
  { signature: required, toleranceSeconds }: Required,
): Promise<Received | undefined> {
  if (standard !== undefined && required !== 'x-signature') {
    for (const secret of secrets) {
      // A text that is no key of the standard may still be one of X-Signature.
      if (faultOfKey(secret) !== undefined) continue;
      const verdict = await verifyStandard({ body, ...standard, secret, toleranceSeconds });
      if (verdict.valid) return { id: verdict.id, until: verdict.until };
    }
  }
  if (required === 'standard-webhooks') return undefined;
  // A public key is known to everybody, and so keys no X-Signature.
  const keys = secrets.filter((secret) => !secret.startsWith('whpk_'));
  const checks = keys.flatMap((secret) => [signature, next].map((one) => verify({ body, signature: one, secret })));
  return (await Promise.all(checks)).includes(true) ? { id: undefined } : undefined;
}
