import type { Encoding } from '../digest-text.ts';

/** How a digest is made. */
export type Algorithm = 'SHA-1' | 'SHA-256' | 'SHA-512';

/** What a digest is made of. */
export interface Content {
  readonly url: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of the body, in hex; empty where the form does not ask for it. */
  readonly hash: string;
  readonly contentType: string;
  /** In seconds since 1970, as it stands in a header; empty where the form has none. */
  readonly timestamp: string;
}

/** What the headers of a request say. */
export interface Written {
  /** As text, each; one of them must be right. */
  readonly digests: readonly string[];
  readonly timestamp?: string | undefined;
}

/** How a sender signs: an HMAC keyed by the secret's text, in a header. */
export interface SenderForm {
  /** The first has the signature. */
  readonly headers: readonly [string, ...string[]];
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  /** A signature with an older timestamp is a replay; without it there is no timestamp. */
  readonly toleranceSeconds?: number;
  /** Undefined when a header is not as the sender writes it. */
  readonly read: (headerOf: (name: string) => string | undefined) => Written | undefined;
  /** What is signed; undefined when the URL contradicts the body. Default the body. */
  readonly content?: (content: Content) => Uint8Array<ArrayBuffer> | undefined;
  /** The URL is signed: the one that the sender calls. */
  readonly signsUrl?: true;
}

/** Seconds are compared, as senders write no less. */
export function isOld({ toleranceSeconds }: SenderForm, { timestamp }: Written, now: number): boolean {
  if (toleranceSeconds === undefined) return false;
  return Math.floor(now / 1000) - Number(timestamp) > toleranceSeconds;
}
