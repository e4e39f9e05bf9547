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
  headers: ['webhook-signature'],
  toleranceSeconds: 300,
  sign({ url, body, at, id }, sharedSecret) {
    const signing = { sharedSecret, signature: 'standard-webhooks' } as const;
    return { url, headers: signatureHeaders(signing, { messageId: id, at, body }) };
  },
  check: checkStandard,
  isSigned: isStandardSigned,
};

export async function checkStandard(request: Arrived, secret: string): Promise<SignatureCheck> {
  const standard = standardOf(request);
  if (standard === undefined) return 'missing';
  return (await isStandard(request, standard, secret)) ? 'valid' : wrongStandard(request, standard, secret);
}

export function isStandardSigned(request: Pick<Arrived, 'headers'>): boolean {
  return standardOf(request) !== undefined;
}

/** It verifies Ed25519 alone, and makes nothing. */
export function isPublic(secret: string): boolean {
  return secret.startsWith('whpk_');
}

export function textOfDiagnosis(diagnosis: Diagnosis): string {
  return diagnosis.verdict === 'valid' ? '' : diagnosis.text;
}

function standardOf(request: Pick<Arrived, 'headers'>): StandardHeaders | undefined {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(request, `webhook-${name}`),
  );
  return id === undefined && signature === undefined ? undefined : { id, timestamp, signature };
}

async function isStandard({ body, at }: Arrived, standard: StandardHeaders, secret: string): Promise<boolean> {
  // What is no key verifies nothing; the diagnosis says so.
  return faultOfKey(secret) === undefined && (await verifyStandard({ body, ...standard, secret, now: at })).valid;
}

function wrongStandard({ body, at }: Arrived, standard: StandardHeaders, secret: string): WrongSignature {
  const { id, timestamp, signature } = standard;
  return {
    header: 'webhook-signature',
    seen: signature ?? '',
    async expected() {
      if (isPublic(secret) || typeof id !== 'string' || typeof timestamp !== 'string') return '';
      const digest = await hmac('SHA-256', keyBytesOf(secret), signedContent(id, timestamp, toBytes(body)));
      return `v1,${Buffer.from(digest).toString('base64')}`;
    },
    diagnosis: async () => textOfDiagnosis(await diagnoseStandard({ body, ...standard, secret, now: at })),
  };
}
