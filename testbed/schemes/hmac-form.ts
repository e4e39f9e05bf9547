import { createHash, createHmac } from 'node:crypto';
import type { Content, SenderForm, Written } from '../../client/webhooks/senders/form.ts';
import { toBytes } from '../../client/webhooks/signature.ts';
import { headerOf } from '../receiver/received.ts';
import type { Arrived, Scheme, Unsigned } from './scheme.ts';

/** A scheme whose signature is an HMAC keyed by the secret's text: how receivers read its headers, and how they are written. */
export interface HmacForm extends SenderForm, Pick<Scheme, 'name' | 'title' | 'places' | 'faultOfSecret'> {
  readonly write: (digest: string, timestamp: string) => Readonly<Record<string, string>>;
  /** Of the secret before, and of the one that replaces it; default it has one signature at a time. */
  readonly writeBoth?: (previous: string, digest: string, timestamp: string) => Readonly<Record<string, string>>;
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

export function contentOf(
  { content, signsUrl }: HmacForm,
  parts: Omit<Content, 'hash'>,
): Uint8Array<ArrayBuffer> | undefined {
  if (content === undefined) return parts.body;
  return content({ ...parts, hash: signsUrl === true ? hashOf(parts.body) : '' });
}

/** The SHA-256 of a body, in hex. */
export function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

export function digestOf(
  { algorithm }: Pick<HmacForm, 'algorithm'>,
  key: string | Uint8Array,
  content: Uint8Array,
): Uint8Array {
  return createHmac(algorithm.replace('-', ''), key).update(content).digest();
}
