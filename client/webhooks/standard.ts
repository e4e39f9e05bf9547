import { joined } from './bytes.ts';
import { fromBase64 } from './digest-text.ts';
import { equalInConstantTime, headerText, type HeaderValue, toBytes } from './signature.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The headers of Standard Webhooks, as they came. */
export interface StandardHeaders {
  /** `webhook-id` */
  readonly id: HeaderValue;
  /** `webhook-timestamp` */
  readonly timestamp: HeaderValue;
  /** `webhook-signature` */
  readonly signature: HeaderValue;
}

export interface StandardRequest extends StandardHeaders {
  /** The body exactly as it came in. */
  readonly body: Uint8Array | string;
  /** `whsec_…`, any other text, or for Ed25519 the public key, `whpk_…`. */
  readonly secret: string;
  /** How far the timestamp may be from now, to either side; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; default the clock of the machine. */
  readonly now?: number | undefined;
}

export type StandardVerdict =
  /** A repeat has the same id; nothing older than `until` (milliseconds since 1970) verifies any more. */
  | { readonly valid: true; readonly id: string; readonly until: number }
  | { readonly valid: false; readonly reason: 'missing' | 'malformed' | 'too old' | 'too new' | 'mismatch' };

const TOLERANCE_SECONDS = 300;

/** A header may hold one for each secret that is valid; a stranger's may hold any number. */
export const MAX_SIGNATURES = 8;

const UTF8 = new TextEncoder();

/** Whether a request is signed as Standard Webhooks says, with this secret, and recently. Web Crypto alone. */
export async function verifyStandard(request: StandardRequest): Promise<StandardVerdict> {
  const { secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = request;
  requireTolerance(toleranceSeconds);
  requireTime(now);
  const { id, timestamp, signature } = textsOf(request);
  const body = toBytes(request.body);
  const check = await checkWith(secret);
  if (id === '' || timestamp === '' || signature === '') return invalid('missing');
  if (!/^\d{1,12}$/.test(timestamp)) return invalid('malformed');
  const seconds = Number(timestamp);
  if (seconds < now / 1000 - toleranceSeconds) return invalid('too old');
  if (seconds > now / 1000 + toleranceSeconds) return invalid('too new');
  const isSigned = await check(signature, signedContent(id, timestamp, body));
  return isSigned ? { valid: true, id, until: (seconds + toleranceSeconds) * 1000 } : invalid('mismatch');
}

/** Throws for what no age can be compared with, such as the number of a variable that is not set: any age would do then. */
export function requireTolerance(seconds: unknown): void {
  if (typeof seconds === 'number' && seconds >= 0) return;
  throw new TypeError(`The option toleranceSeconds is ${String(seconds)}; give a number of seconds, 0 or more`);
}

/** Throws for a time that was not understood: any age would do then. */
export function requireTime(now: unknown): void {
  if (typeof now === 'number' && !Number.isNaN(now)) return;
  throw new TypeError(`The option now is ${String(now)}; give milliseconds since 1970, or leave it out`);
}

/** The bytes that are signed. */
export function signedContent(id: string, timestamp: string, body: Bytes): Bytes {
  return joined([`${id}.${timestamp}.`, body]);
}

/** The HMAC key of a secret: what is encoded behind `whsec_`, or the text itself. */
export function keyBytesOf(secret: string): Bytes {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  return bytes ?? UTF8.encode(secret);
}

/** Why a secret can verify nothing; undefined when it can. It never tells the secret. */
export function faultOfKey(secret: string): string | undefined {
  if (secret === '') return 'is empty; give the value of the destination’s `sharedSecret`';
  if (secret.startsWith('whsk_')) {
    return 'is a private key (whsk_); give the public one, from the destination’s `public_keys`';
  }
  if (secret.startsWith('whsec_') && fromBase64(secret.slice('whsec_'.length)) === undefined) {
    return 'must hold base64 behind whsec_; give it as the destination shows it';
  }
  if (!secret.startsWith('whpk_')) return undefined;
  return fromBase64(secret.slice('whpk_'.length))?.length === 32 ? undefined : 'must hold 32 bytes behind whpk_';
}

type Check = (signatures: string, content: Bytes) => Promise<boolean>;

/** Throws for a secret that can verify nothing, whatever the request is. */
async function checkWith(secret: string): Promise<Check> {
  const fault = faultOfKey(secret);
  if (fault !== undefined) throw new TypeError(`The secret ${fault}`);
  if (secret.startsWith('whpk_')) return checkPublic(secret);
  const key = await crypto.subtle.importKey('raw', keyBytesOf(secret), HMAC, false, ['sign']);
  return async (signatures, content) => {
    const given = digestsIn(signatures, 'v1');
    if (given.length === 0) return false;
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
    return given.filter((one) => equalInConstantTime(one, digest)).length > 0;
  };
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

async function checkPublic(secret: string): Promise<Check> {
  const bytes = fromBase64(secret.slice('whpk_'.length)) ?? new Uint8Array();
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
  return async (signatures, content) => {
    const given = digestsIn(signatures, 'v1a');
    const checks = await Promise.all(given.map((one) => crypto.subtle.verify('Ed25519', key, one, content)));
    return checks.includes(true);
  };
}

/** `v1,<base64> v1a,<base64>`: those of one version. */
export function digestsIn(signatures: string, version: 'v1' | 'v1a'): readonly Bytes[] {
  return signatures
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .filter((one) => one.startsWith(`${version},`))
    .flatMap((one) => fromBase64(one.slice(version.length + 1)) ?? []);
}

/** Empty where there is none. */
export function textsOf({ id, timestamp, signature }: StandardHeaders): Record<keyof StandardHeaders, string> {
  return { id: headerText(id) ?? '', timestamp: headerText(timestamp) ?? '', signature: headerText(signature) ?? '' };
}

function invalid(reason: (StandardVerdict & { valid: false })['reason']): StandardVerdict {
  return { valid: false, reason };
}
