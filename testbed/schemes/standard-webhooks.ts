import { hmac } from '../../client/webhooks/digests.ts';
import type { Diagnosis } from '../../client/webhooks/doctor.ts';
import { toBytes } from '../../client/webhooks/signature.ts';
import { diagnoseStandard } from '../../client/webhooks/standard-doctor.ts';
import {
  faultOfKey,
  keyBytesOf,
  signedContent,
  type StandardHeaders,
  verifyStandard,
} from '../../client/webhooks/standard.ts';
import { signatureHeaders } from '../../server/delivery/signatures.ts';
import { headerOf } from '../receiver/received.ts';
import type { Arrived, Scheme, SignatureCheck, WrongSignature } from './scheme.ts';

/** `webhook-id`, `webhook-timestamp` and `webhook-signature`, of HMAC or Ed25519: as Svix and many others send. */
export const STANDARD_WEBHOOKS: Scheme = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  headers: ['webhook-signature', 'svix-signature'],
  toleranceSeconds: 300,
  sign({ url, body, at, id }, sharedSecret) {
    const signing = { sharedSecret, signature: 'standard-webhooks' } as const;
    return { url, headers: signatureHeaders(signing, { messageId: id, at, body }) };
  },
  check: async (request, secret) => checkStandard(request, secret, FAMILIES),
  isSigned: (request) => isStandardSigned(request, FAMILIES),
};

/** What its three headers begin with: Svix has names of its own, and those of the standard as a setting. */
const FAMILIES = ['webhook', 'svix'] as const;
type Family = (typeof FAMILIES)[number];
const OWN: readonly Family[] = ['webhook'];

export async function checkStandard(
  request: Arrived,
  secret: string,
  families: readonly Family[] = OWN,
): Promise<SignatureCheck> {
  const standard = standardOf(request, families);
  if (standard === undefined) return 'missing';
  return (await isStandard(request, standard, secret)) ? 'valid' : wrongStandard(request, standard, secret);
}

export function isStandardSigned(request: Pick<Arrived, 'headers'>, families: readonly Family[] = OWN): boolean {
  return standardOf(request, families) !== undefined;
}

/** It verifies Ed25519 alone, and makes nothing. */
export function isPublic(secret: string): boolean {
  return secret.startsWith('whpk_');
}

export function textOfDiagnosis(diagnosis: Diagnosis): string {
  return diagnosis.verdict === 'valid' ? '' : diagnosis.text;
}

function standardOf(request: Pick<Arrived, 'headers'>, families: readonly Family[]): FoundHeaders | undefined {
  for (const family of families) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      headerOf(request, `${family}-${name}`),
    );
    if (id !== undefined || signature !== undefined) return { family, id, timestamp, signature };
  }
  return undefined;
}

interface FoundHeaders extends StandardHeaders {
  readonly family: Family;
}

async function isStandard({ body, at }: Arrived, standard: StandardHeaders, secret: string): Promise<boolean> {
  // What is no key verifies nothing; the diagnosis says so.
  return faultOfKey(secret) === undefined && (await verifyStandard({ body, ...standard, secret, now: at })).valid;
}

function wrongStandard({ body, at }: Arrived, found: FoundHeaders, secret: string): WrongSignature {
  const { family, ...standard } = found;
  const { id, timestamp, signature } = standard;
  return {
    header: `${family}-signature`,
    seen: signature ?? '',
    async expected() {
      if (isPublic(secret) || typeof id !== 'string' || typeof timestamp !== 'string') return '';
      const digest = await hmac('SHA-256', keyBytesOf(secret), signedContent(id, timestamp, toBytes(body)));
      return `v1,${Buffer.from(digest).toString('base64')}`;
    },
    diagnosis: async () => textOfDiagnosis(await diagnoseStandard({ body, ...standard, secret, now: at })),
  };
}
