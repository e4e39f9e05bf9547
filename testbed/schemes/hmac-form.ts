import { createHmac } from 'node:crypto';
import { toBytes } from '../../client/webhooks/signature.ts';
import { headerOf } from '../receiver/received.ts';
import type { Encoding } from './bytes.ts';
import type { Arrived, Scheme, Unsigned } from './scheme.ts';

export type Algorithm = 'SHA-1' | 'SHA-256' | 'SHA-512';

/** What a digest is made of. */
export interface Content {
  readonly url: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** In seconds since 1970, as it stands in a header; empty where the scheme has none. */
  readonly timestamp: string;
}

/** What the headers of a request say. */
export interface Written {
  /** As text, each; one of them must be right. */
  readonly digests: readonly string[];
  readonly timestamp?: string | undefined;
}

/** A scheme whose signature is an HMAC keyed by the secret's text: data, and how its headers are written and read. */
export interface HmacForm extends Pick<
  Scheme,
  'name' | 'title' | 'headers' | 'places' | 'toleranceSeconds' | 'faultOfSecret'
> {
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  readonly write: (digest: string, timestamp: string) => Readonly<Record<string, string>>;
  /** Of the secret before, and of the one that replaces it; default it has one signature at a time. */
  readonly writeBoth?: (previous: string, digest: string, timestamp: string) => Readonly<Record<string, string>>;
  /** Undefined when a header is not as the scheme writes it. */
  readonly read: (headerOf: (name: string) => string | undefined) => Written | undefined;
  /** What is signed; undefined when the URL contradicts the body. Default the body. */
  readonly content?: (content: Content) => Uint8Array<ArrayBuffer> | undefined;
  /** In words, how the URL may contradict the body. */
  readonly contradicts?: string;
  /** The URL that the request goes to, where the scheme adds to it. */
  readonly address?: (unsigned: Unsigned) => string;
}

/** Behind a proxy nobody knows whether the sender called it http or https. */
export function contentsOf(form: HmacForm, request: Arrived, written: Written): Uint8Array<ArrayBuffer>[] {
  const { timestamp = '' } = written;
  const [host = '', contentType = ''] = [headerOf(request, 'host'), headerOf(request, 'content-type')];
  const urls = form.content === undefined ? [''] : ['https', 'http'].map((how) => `${how}://${host}${request.path}`);
  const body = toBytes(request.body);
  return urls.flatMap((url) => contentOf(form, { url, body, contentType, timestamp }) ?? []);
}

export function contentOf({ content }: HmacForm, parts: Content): Uint8Array<ArrayBuffer> | undefined {
  return content === undefined ? parts.body : content(parts);
}

export function isOld({ toleranceSeconds }: HmacForm, { timestamp }: Written, at: number): boolean {
  if (toleranceSeconds === undefined) return false;
  return Math.floor(at / 1000) - Number(timestamp) > toleranceSeconds;
}

export function digestOf(
  { algorithm }: Pick<HmacForm, 'algorithm'>,
  key: string | Uint8Array,
  content: Uint8Array,
): Uint8Array {
  return createHmac(algorithm.replace('-', ''), key).update(content).digest();
}
