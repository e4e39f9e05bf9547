import { hmac } from '../../client/webhooks/digests.ts';
import { type Diagnosis, diagnose } from '../../client/webhooks/doctor.ts';
import { sign, toBytes, verify } from '../../client/webhooks/signature.ts';
import { diagnoseStandard } from '../../client/webhooks/standard-doctor.ts';
import {
  faultOfKey,
  keyBytesOf,
  signedContent,
  type StandardHeaders,
  verifyStandard,
} from '../../client/webhooks/standard.ts';
import { headerOf, type Received } from './received.ts';

type Signed = Pick<Received, 'headers' | 'body' | 'at'>;

/** One kind of signature of a request that is not what the secret makes. */
export interface WrongSignature {
  readonly header: 'X-Signature' | 'webhook-signature';
  readonly seen: string;
  /** What it should be; empty where the secret is a public key. */
  readonly expected: () => Promise<string>;
  readonly diagnosis: () => Promise<Diagnosis>;
}

export type SignatureCheck = 'valid' | 'missing' | WrongSignature;

/**
 * Whether a request is signed with the secret. Each kind of signature that it has must be: of `X-Signature` and
 * `X-Signature-Next` one, and of the entries of `webhook-signature` one, since a rotation signs with two secrets.
 */
export async function checkSignature(request: Signed, secret: string): Promise<SignatureCheck> {
  const hex = hexOf(request);
  const standard = standardOf(request);
  if (hex.length === 0 && standard === undefined) return 'missing';
  if (standard !== undefined && !(await isStandard(request, standard, secret))) {
    return wrongStandard(request, standard, secret);
  }
  if (hex.length === 0 || (await isHex(request, hex, secret))) return 'valid';
  return wrongHex(request, hex[0] ?? '', secret);
}

/** Whether a request has any signature. */
export function isSigned(request: Signed): boolean {
  return hexOf(request).length > 0 || standardOf(request) !== undefined;
}

function hexOf(request: Signed): string[] {
  return ['x-signature', 'x-signature-next'].flatMap((name) => headerOf(request, name) ?? []);
}

function standardOf(request: Signed): StandardHeaders | undefined {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(request, `webhook-${name}`),
  );
  return id === undefined && signature === undefined ? undefined : { id, timestamp, signature };
}

async function isHex({ body }: Signed, hex: readonly string[], secret: string): Promise<boolean> {
  if (isPublic(secret)) return false;
  const checks = await Promise.all(hex.map((signature) => verify({ body, signature, secret })));
  return checks.includes(true);
}

async function isStandard({ body, at }: Signed, standard: StandardHeaders, secret: string): Promise<boolean> {
  // What is no key verifies nothing; the diagnosis says so.
  return faultOfKey(secret) === undefined && (await verifyStandard({ body, ...standard, secret, now: at })).valid;
}

function wrongHex({ body }: Signed, seen: string, secret: string): WrongSignature {
  return {
    header: 'X-Signature',
    seen,
    expected: async () => (isPublic(secret) ? '' : sign(secret, body)),
    diagnosis: () => diagnose({ body, signature: seen, secret }),
  };
}

function wrongStandard({ body, at }: Signed, standard: StandardHeaders, secret: string): WrongSignature {
  const { id, timestamp, signature } = standard;
  return {
    header: 'webhook-signature',
    seen: signature ?? '',
    async expected() {
      if (isPublic(secret) || typeof id !== 'string' || typeof timestamp !== 'string') return '';
      const digest = await hmac('SHA-256', keyBytesOf(secret), signedContent(id, timestamp, toBytes(body)));
      return `v1,${Buffer.from(digest).toString('base64')}`;
    },
    diagnosis: () => diagnoseStandard({ body, ...standard, secret, now: at }),
  };
}

/** It verifies Ed25519 alone, and makes nothing. */
function isPublic(secret: string): boolean {
  return secret.startsWith('whpk_');
}
