import { fromBase64 } from '../../client/webhooks/digest-text.ts';
import { hmac } from '../../client/webhooks/digests.ts';
import type { Diagnosis } from '../../client/webhooks/doctor.ts';
import { toBytes } from '../../client/webhooks/signature.ts';
import { diagnoseStandard } from '../../client/webhooks/standard-doctor.ts';
import {
  faultOfKey,
  keyBytesOf,
  signedContent,
  type StandardHeaders,
  textsOf,
  verifyStandard,
} from '../../client/webhooks/standard.ts';
import { type PreviousSecret, signatureHeaders, type SignatureSetting } from '../../server/delivery/signatures.ts';
import { headerOf } from '../receiver/received.ts';
import type { Arrived, Scheme, SecretUse, Signature, SignatureCheck, Unsigned, WrongSignature } from './scheme.ts';
import { checkSecret } from './secret.ts';

/** `webhook-id`, `webhook-timestamp` and `webhook-signature`, of HMAC or Ed25519: as Svix and many others send. */
export const STANDARD_WEBHOOKS: Scheme = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  headers: ['webhook-signature', 'svix-signature'],
  toleranceSeconds: 300,
  places: {
    id: [{ header: 'webhook-id' }, { header: 'svix-id' }],
    withoutId: 'unknown',
    type: [{ field: 'type' }],
  },
  faultOfSecret,
  ...signingOf('standard-webhooks', () => STANDARD_WEBHOOKS),
  async check(request, secret) {
    // What is no key checks nothing: the doctor may know why.
    checkSecret('The secret', secret, { title: 'the sender' }, 'check');
    const check = await checkStandard(request, secret, FAMILIES);
    if (typeof check === 'string') return check;
    // What the doctor says of headers that are missing is advice for Waybill's.
    return { ...check, diagnosis: async () => lacking(request) ?? wrongKey(secret, await check.diagnosis()) };
  },
  isSigned: (request) => isStandardSigned(request, FAMILIES),
};

/** How the delivery engine signs for a destination with this setting, by itself and while one secret replaces another. */
export function signingOf(
  signature: SignatureSetting,
  scheme: () => Scheme,
): Required<Pick<Scheme, 'sign' | 'signBoth'>> {
  const signed = ({ url, body, at, id }: Unsigned, sharedSecret: string, previous?: PreviousSecret): Signature => {
    const headers = signatureHeaders({ sharedSecret, signature, previous }, { messageId: id, at, body });
    return { url, headers };
  };
  return {
    sign(unsigned, secret) {
      checkSecret('The secret', secret, scheme(), 'sign');
      return signed(unsigned, secret);
    },
    signBoth(unsigned, secret, previous) {
      checkSecret('The secret', secret, scheme(), 'sign');
      checkSecret('The previous secret', previous, scheme(), 'sign');
      return signed(unsigned, secret, beside(previous));
    },
  };
}

/** A secret that is valid beside the one that replaces it. */
export function beside(previous: string): PreviousSecret {
  return { secret: previous, until: Infinity };
}

/** What its three headers begin with: Svix has names of its own, and those of the standard as a setting. */
const FAMILIES = ['webhook', 'svix'] as const;
type Family = (typeof FAMILIES)[number];
const OWN: readonly Family[] = ['webhook'];

const KEYS: Readonly<Record<string, { readonly use: SecretUse | 'both'; readonly bytes: readonly number[] }>> = {
  whsec_: { use: 'both', bytes: [] },
  whsk_: { use: 'sign', bytes: [32, 64] },
  whpk_: { use: 'check', bytes: [32] },
};

/** Libraries of the standard decode what stands behind the prefix: any other text would be another key there than here. */
function faultOfSecret(secret: string, use: SecretUse): string | undefined {
  const [prefix, kind] = Object.entries(KEYS).find(([start]) => secret.startsWith(start)) ?? [];
  const shown = use === 'sign' ? 'whsec_ or whsk_' : 'whsec_ or whpk_';
  if (prefix === undefined || kind === undefined)
    return `does not begin with ${shown}; give it as the sender shows it, with its prefix and base64 behind it`;
  if (kind.use !== 'both' && kind.use !== use) {
    const [is, does] = use === 'sign' ? ['public', 'checks'] : ['private', 'signs'];
    const other = use === 'sign' ? 'the private one (whsk_)' : 'the public one (whpk_)';
    return `is a ${is} key (${prefix}), which only ${does}; give ${other}`;
  }
  const bytes = fromBase64(secret.slice(prefix.length));
  if (bytes === undefined) return `has no base64 behind ${prefix}; give it as the sender shows it`;
  if (kind.bytes.length === 0 || kind.bytes.includes(bytes.length)) return undefined;
  return `must hold ${kind.bytes.join(' or ')} bytes behind ${prefix}, got ${bytes.length}; give it as the sender shows it`;
}

/** The doctor tells users of Waybill where its key is to be found. */
function wrongKey(secret: string, diagnosis: string): string {
  const [told, fault] = [faultOfKey(secret), faultOfSecret(secret, 'check')];
  return told === undefined || fault === undefined
    ? diagnosis
    : diagnosis.replace(`the secret ${told}`, `the secret ${fault}`);
}

function lacking(request: Arrived): string | undefined {
  const found = standardOf(request, FAMILIES);
  if (found === undefined) return undefined;
  const names = (['id', 'timestamp', 'signature'] as const).filter((name) => (found[name] ?? '') === '');
  if (names.length === 0) return undefined;
  const lost = names.map((name) => `${found.family}-${name}`).join(' and ');
  return `${lost} did not come; send all three headers, and see that no proxy drops them`;
}

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
  const { id, timestamp, signature } = textsOf(standard);
  return {
    header: `${family}-signature`,
    seen: signature,
    async expected() {
      if (isPublic(secret) || id === '' || timestamp === '') return '';
      const digest = await hmac('SHA-256', keyBytesOf(secret), signedContent(id, timestamp, toBytes(body)));
      return `v1,${Buffer.from(digest).toString('base64')}`;
    },
    diagnosis: async () => textOfDiagnosis(await diagnoseStandard({ body, ...standard, secret, now: at })),
  };
}
