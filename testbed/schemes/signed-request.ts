import { randomUUID } from 'node:crypto';
import { toBytes } from '../../client/webhooks/signature.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import type { Scheme, Signature, Unsigned } from './scheme.ts';
import { type SchemeChoice, schemeOf } from './schemes.ts';

export interface SignedRequestOptions {
  readonly url: string;
  readonly secret: string;
  /** The secret before it: the request is signed with both, as while one replaces the other. */
  readonly previous?: string;
  /** Default `waybill`. */
  readonly scheme?: SchemeChoice;
  /** Bytes or text as they are; anything else is written as JSON. */
  readonly body: unknown;
  /** Beside those of the signature; `Content-Type` is `application/json` when not among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** When the request is made, in milliseconds since 1970; default now. */
  readonly at?: number;
  /** Of the message, where the scheme has one; default a new one. */
  readonly id?: string;
}

/** What a sender with this scheme would send: `fetch(request.url, request)`. */
export interface SignedRequest {
  /** Some schemes add to it. */
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const OF_REQUEST = [
  'url',
  'secret',
  'previous',
  'scheme',
  'body',
  'headers',
  'at',
  'id',
] as const satisfies readonly (keyof SignedRequestOptions)[];

/** A request of any body, signed. Throws a TypeError for a scheme that is none, or that never signs with two secrets. */
export function signedRequest(options: SignedRequestOptions): SignedRequest {
  refuseUnknown('signedRequest', options, OF_REQUEST);
  refuseUndefined('', options, ['scheme', 'previous']);
  const { secret, previous, headers: given = {}, at = Date.now(), id = `msg_${randomUUID()}` } = options;
  const headers = { ...(hasContentType(given) ? {} : { 'Content-Type': 'application/json' }), ...given };
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const body = bodyOf(options.body);
  const unsigned = { url: options.url, body, contentType, at, id };
  const scheme = schemeOf(options.scheme);
  const signature =
    previous === undefined ? scheme.sign(unsigned, secret) : signedWithBoth(scheme, unsigned, secret, previous);
  return { url: signature.url, method: 'POST', headers: { ...headers, ...signature.headers }, body };
}

function signedWithBoth(scheme: Scheme, unsigned: Unsigned, secret: string, previous: string): Signature {
  const signature = scheme.signBoth?.(unsigned, secret, previous);
  if (signature !== undefined) return signature;
  throw new TypeError(
    `The option previous is given, and ${scheme.title} signs with one secret at a time; leave it out`,
  );
}

function hasContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
}

function bodyOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body === undefined)
    throw new TypeError('The option body is undefined; give text, bytes, or what is to be written as JSON');
  return toBytes(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
}
