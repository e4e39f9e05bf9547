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

/** A header, or a field of a JSON body (`event.type` for one within another). */
export type Place = { readonly header: string } | { readonly field: string };

/** Where requests of a sender say what they are of; of several places the first that is filled counts. */
export interface Places {
  /** Which event it is: attempts of one event say the same. */
  readonly id: readonly Place[];
  /** A request that names no event is of the one whose body has the same bytes, or nobody knows of which. */
  readonly withoutId: 'same body' | 'unknown';
  /** Of what type the event is. */
  readonly type: readonly Place[];
}

/** What a secret is given for: of a pair of keys, one signs and the other checks. */
export type SecretUse = 'sign' | 'check';

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
  readonly places: Places;
  /** Why a text cannot be its secret, with the way out and without the text; where it is left out, any text can. */
  readonly faultOfSecret?: (secret: string, use: SecretUse) => string | undefined;
  /** What people do about a request that has no signature; where it is left out, the secret is set at the sender. */
  readonly wayOutUnsigned?: string;
  /** Throws a TypeError for a secret that is none. */
  sign(request: Unsigned, secret: string): Signature;
  /** As it signs while a secret replaces the one before it; without this, requests never have two signatures. */
  signBoth?(request: Unsigned, secret: string, previous: string): Signature;
  check(request: Arrived, secret: string): Promise<SignatureCheck>;
  /** Whether a request has such a signature, valid or not. */
  isSigned(request: Pick<Arrived, 'headers'>): boolean;
}
