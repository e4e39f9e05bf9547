const ALGORITHM = { name: 'HMAC', hash: 'SHA-1' };

/** Lower case only, as the router writes it: a signature has one spelling. */
const HEX_SHA1 = /^[0-9a-f]{40}$/;

const UTF8 = new TextEncoder();

/** The value of a header as frameworks give it: a list, where they collect what came several times. */
export type HeaderValue = string | readonly string[] | null | undefined;

/** As HTTP joins them: what came twice is no signature any more. */
export function headerText(value: HeaderValue): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : undefined;
}

export interface SignedRequest {
  /** The body exactly as it came in: bytes, or their text in UTF-8. Not an object that was parsed and written again. */
  readonly body: Uint8Array | string;
  /** The value of `X-Signature`; a missing header is simply not valid. */
  readonly signature: HeaderValue;
  readonly secret: string;
}

/**
 * The `X-Signature` of a body: HMAC-SHA-1 keyed by the shared secret, in lower-case hex (HOOK-5).
 * Web Crypto alone, so that it runs in edge runtimes and browsers as well as in Node.
 */
export async function sign(secret: string, body: Uint8Array | string): Promise<string> {
  const bytes = toBytes(body);
  const key = await importKey(secret, 'sign');
  return toHex(new Uint8Array(await crypto.subtle.sign(ALGORITHM.name, key, bytes)));
}

/**
 * Whether the signature belongs to this body and secret: `verify({ body, signature, secret })`, or the three in this
 * order. Web Crypto's `verify` compares in constant time.
 */
export function verify(request: SignedRequest): Promise<boolean>;
export function verify(
  body: SignedRequest['body'],
  signature: SignedRequest['signature'],
  secret: SignedRequest['secret'],
): Promise<boolean>;
export async function verify(
  first: SignedRequest | SignedRequest['body'],
  second?: SignedRequest['signature'],
  third = '',
): Promise<boolean> {
  const isRequest = typeof first === 'object' && first !== null && 'body' in first;
  const { body, signature, secret } = isRequest ? first : { body: first, signature: second, secret: third };
  const bytes = toBytes(body);
  const key = await importKey(secret, 'verify');
  const hex = headerText(signature) ?? '';
  if (!HEX_SHA1.test(hex)) return false;
  return crypto.subtle.verify(ALGORITHM.name, key, fromHex(hex), bytes);
}

async function importKey(secret: string, usage: 'sign' | 'verify') {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('The shared secret is empty; give the value of the destination’s `sharedSecret`');
  }
  // Everybody knows it, and so could make what it verifies.
  if (secret.startsWith('whpk_'))
    throw new TypeError('A public key (whpk_) verifies no X-Signature: use verifyStandard');
  return crypto.subtle.importKey('raw', UTF8.encode(secret), ALGORITHM, false, [usage]);
}

/** A copy, made before anything is awaited: the caller may reuse its buffer, and Web Crypto takes no shared memory. */
export function toBytes(body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return UTF8.encode(body);
  // An object that was parsed would pass for no bytes at all, and the signature for a wrong one.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new TypeError(`The body must be bytes or text, got: ${typeof body}. Take the raw body, before any JSON parser`);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** However far two digests agree, it takes the same time to see that they differ. */
export function equalInConstantTime(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;
}
