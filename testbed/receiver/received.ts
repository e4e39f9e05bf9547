import { isObject } from '../../server/model/json-values.ts';
import type { Turn } from '../fault-script/player.ts';
import type { Script } from '../fault-script/step.ts';
import type { PlayedTurn } from './playback.ts';
import type { Scheme } from '../schemes/scheme.ts';
import type { SignatureVerdict } from './signature-verdict.ts';

export type Header = readonly [name: string, value: string];

/** One request that was read to its end, as it came, and what was decided about it. */
export interface Received {
  /** Order of arrival, from 1. */
  readonly number: number;
  /** When its last byte was read: milliseconds since the epoch, by the receiver's clock. */
  readonly at: number;
  readonly method: string;
  /** Path and query, as on the wire. */
  readonly path: string;
  /** The path of the endpoint that took it; undefined when the receiver has none, or none for this path. */
  readonly endpoint?: string | undefined;
  /** The application behind its endpoint, which answers where the script would say a plain 200. */
  readonly application?: string | undefined;
  /** Order, case and repetitions as on the wire. */
  readonly headers: readonly Header[];
  /** The bytes of the body, untouched. */
  readonly body: Uint8Array;
  /** The body as a JSON object; undefined when it is none. */
  readonly event: WebhookEvent | undefined;
  /** How many requests were of its event so far, this one included; 1 when nothing says which event it is of. */
  readonly attempt: number;
  readonly signature: SignatureVerdict;
  /** How its sender signs, and says which event it is, as far as the endpoint knows. */
  readonly scheme: Scheme;
  /** What the receiver answers, and why. */
  readonly turn: Turn;
  /** The script that the turn is of. */
  readonly script: Script;
}

/** What an application behind the receiver made of a request. */
export interface Forwarded {
  /** As it went back to the sender; 502 when the application gave none. */
  readonly status: number;
  /** Why there was no answer, or not all of it. */
  readonly failure?: string;
  readonly afterMs: number;
  readonly headers: readonly Header[];
  /** The beginning of its body. */
  readonly excerpt: Uint8Array;
  /** All bytes of its body that came. */
  readonly bytes: number;
}

/** A parsed body; nothing about it is certain but that it is an object. */
export type WebhookEvent = Readonly<Record<string, unknown>>;

export type ReceiverEvent =
  | { readonly kind: 'received'; readonly request: Received }
  /** The sender hung up before its answer was complete. */
  | { readonly kind: 'left'; readonly request: Received; readonly afterMs: number }
  /** The application behind the receiver has answered, or failed to. */
  | { readonly kind: 'forwarded'; readonly request: Received; readonly answer: Forwarded }
  /** The script ended or held a connection whose request was not read. */
  | TurnedAway
  /** What came was no whole HTTP request, and was not counted. */
  | { readonly kind: 'unreadable'; readonly at: number; readonly reason: string }
  /** Another script is played from here on. */
  | { readonly kind: 'scripted'; readonly at: number; readonly endpoint: string | undefined; readonly script: Script }
  /** What came so far was forgotten, and every script begins anew. */
  | { readonly kind: 'reset'; readonly at: number };

export interface TurnedAway {
  readonly kind: 'turned-away';
  readonly at: number;
  readonly endpoint?: string | undefined;
  readonly turn: PlayedTurn;
}

/** Node's flat list of names and values, in pairs. */
export function headersIn(rawHeaders: readonly string[]): readonly Header[] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
}

/** The values of a header, in whatever case, joined as HTTP says; undefined when it did not come. */
export function headerOf({ headers }: Pick<Received, 'headers'>, name: string): string | undefined {
  const values = headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** A field of the event, when it is text. */
export function textOf({ event }: Pick<Received, 'event'>, field: string): string | undefined {
  const value = event?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** The body as an event, or undefined: what a body must hold is not for the receiver to say. */
export function eventIn(body: Uint8Array): WebhookEvent | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a body, with all of its bytes; undefined for what is no UTF-8. */
export function utf8In(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** Text as text, and what is no UTF-8 in base64: either way all of its bytes. */
export function bodyView(bytes: Uint8Array): { body: string } | { bodyBase64: string } {
  const body = utf8In(bytes);
  return body === undefined ? { bodyBase64: Buffer.from(bytes).toString('base64') } : { body };
}
