import { createHash, createHmac, sign } from 'node:crypto';
import { standardKey, type StandardKey } from '../model/shared-secret.ts';

export type SignatureSetting = 'x-signature' | 'standard-webhooks' | 'both';

/** With what the requests of a destination are signed. */
export interface Signing {
  /** Empty when requests are not to be signed (HOOK-6). */
  readonly sharedSecret: string;
  /** `x-signature` when not given. */
  readonly signature?: SignatureSetting;
  /** The secret before this one, and until when it is valid as well, by the wall clock (D-81). */
  readonly previous?: PreviousSecret | undefined;
}

export interface PreviousSecret {
  readonly secret: string;
  readonly until: number;
}

/** A request that is about to be made. */
export interface Unsigned {
  readonly messageId: string;
  /** By the wall clock: receivers compare it with theirs. */
  readonly at: number;
  readonly body: Uint8Array;
}

/** The key of a secret. To make one for Ed25519 takes as long as to sign with it: who signs much keeps them. */
export type KeyOf = (secret: string) => StandardKey;

/** The signature headers of a request: for both secrets while one replaces the other (HOOK-23). */
export function signatureHeaders(
  signing: Signing,
  request: Unsigned,
  keyOf: KeyOf = standardKey,
): Record<string, string> {
  const { sharedSecret, signature = 'x-signature', previous } = signing;
  if (sharedSecret === '') return {};
  const old = previous !== undefined && request.at < previous.until ? previous.secret : undefined;
  return {
    ...(signature === 'standard-webhooks' ? {} : hexHeaders(sharedSecret, old, request.body)),
    ...(signature === 'x-signature'
      ? {}
      : standardHeaders([...(old === undefined ? [] : [old]), sharedSecret], request, keyOf)),
  };
}

/** `X-Signature`: hex HMAC-SHA-1 keyed by the shared secret, over the very bytes that are sent (HOOK-5, HOOK-7). */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha1', secret).update(body).digest('hex');
}

/** The new secret has a header of its own: a receiver that knows only the old one reads what it has always read (D-81). */
function hexHeaders(secret: string, old: string | undefined, body: Uint8Array): Record<string, string> {
  if (old === undefined) return { 'X-Signature': signatureOf(secret, body) };
  return { 'X-Signature': signatureOf(old, body), 'X-Signature-Next': signatureOf(secret, body) };
}

/** The old secret's signature comes first: some receivers read no other (D-80). */
function standardHeaders(secrets: readonly string[], request: Unsigned, keyOf: KeyOf): Record<string, string> {
  const id = webhookIdOf(request.messageId);
  const timestamp = String(Math.floor(request.at / 1000));
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'utf8'), request.body]);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(keyOf(secret), signed)).join(' '),
  };
}

function standardSignature({ algorithm, key }: StandardKey, signed: Buffer): string {
  if (algorithm === 'ed25519') return `v1a,${sign(null, signed, key).toString('base64')}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/**
 * The same for all attempts of an event. Senders choose message ids: one with a full stop could shift what is signed, and one
 * with other characters would be no header, so these are replaced by their digest.
 */
export function webhookIdOf(messageId: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(messageId)) return messageId;
  return `msg_${createHash('sha256').update(messageId).digest('base64url')}`;
}
