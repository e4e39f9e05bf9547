import type { Received } from '../receiver/received.ts';

/** A request as it came. */
export type Arrived = Pick<Received, 'headers' | 'body' | 'at' | 'path'>;

/** A request that is to be signed. */
export interface Unsigned {
  readonly url: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The value of `Content-Type`: some schemes sign a form in another way than JSON. */
  readonly contentType: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** The message's; attempts of one message have the same. */
  readonly id: string;
}

/** What a signature adds to a request; a scheme may also change the URL. */
export interface Signature {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A signature that is not what the secret makes. */
export interface WrongSignature {
  readonly header: string;
  readonly seen: string;
  /** What it should be; empty where that cannot be told. */
  readonly expected: () => Promise<string>;
  /** What the doctor says of it, for people; no secret and no digest. Empty when there is nothing to say. */
  readonly diagnosis: () => Promise<string>;
}

export type SignatureCheck = 'valid' | 'missing' | WrongSignature;

/** How a sender signs its webhooks, and how a receiver checks them. */
export interface Scheme {
  /** As options and flags call it. */
  readonly name: string;
  /** Whose it is, for people. */
  readonly title: string;
  /** A signature with an older timestamp is a replay; without it there is no timestamp. */
  readonly toleranceSeconds?: number;
  /** The headers that carry it: one of them must come. */
  readonly headers: readonly [string, ...string[]];
  sign(request: Unsigned, secret: string): Signature;
  check(request: Arrived, secret: string): Promise<SignatureCheck>;
  /** Whether a request has such a signature, valid or not. */
  isSigned(request: Pick<Arrived, 'headers'>): boolean;
}
