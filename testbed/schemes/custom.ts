import { type Encoding, joined } from './bytes.ts';
import type { Algorithm, HmacForm, Written } from './hmac-form.ts';
import { hmacScheme } from './hmac-scheme.ts';
import type { Scheme } from './scheme.ts';

export interface CustomScheme {
  /** The header of the signature. */
  readonly header: string;
  readonly algorithm: Algorithm;
  readonly encoding: Encoding;
  /** What stands before the digest: `sha256=`. */
  readonly prefix?: string;
  /** A header with the seconds since 1970 that are signed as well; how old a signature may be, default five minutes. */
  readonly timestamp?: { readonly header: string; readonly toleranceSeconds?: number };
  /** What is signed; default the body, after the timestamp and a full stop where there is one. */
  readonly payload?: (parts: {
    readonly body: Uint8Array;
    readonly timestamp: string;
    readonly url: string;
  }) => Uint8Array | string;
  /** As texts call it; default `custom`. */
  readonly name?: string;
  readonly title?: string;
}

const FIVE_MINUTES = 300;

/** The scheme of a sender that signs with HMAC and the text of a secret. Throws a TypeError for what cannot be. */
export function custom(own: CustomScheme): Scheme {
  const { header, algorithm, encoding, prefix = '', timestamp, payload, name = 'custom', title = name } = own;
  for (const one of [header, timestamp?.header]) refuseNoHeader(one);
  const form: HmacForm = {
    name,
    title,
    headers: [header],
    algorithm,
    encoding,
    ...(timestamp === undefined ? {} : { toleranceSeconds: timestamp.toleranceSeconds ?? FIVE_MINUTES }),
    write: (digest, at) => ({
      [header]: `${prefix}${digest}`,
      ...(timestamp === undefined ? {} : { [timestamp.header]: at }),
    }),
    read(headerOf) {
      const signature = headerOf(header) ?? '';
      if (!signature.startsWith(prefix)) return undefined;
      const written = { digests: [signature.slice(prefix.length)] };
      return timestamp === undefined ? written : withTimestamp(written, headerOf(timestamp.header));
    },
  };
  const content = contentOf(payload, timestamp !== undefined);
  return hmacScheme(content === undefined ? form : { ...form, content });
}

function contentOf(payload: CustomScheme['payload'], isTimed: boolean): HmacForm['content'] {
  if (payload !== undefined) return (parts) => joined(payload(parts));
  return isTimed ? ({ timestamp, body }) => joined(`${timestamp}.`, body) : undefined;
}

function withTimestamp(written: Written, timestamp = ''): Written | undefined {
  return /^\d+$/.test(timestamp) ? { ...written, timestamp } : undefined;
}

function refuseNoHeader(name: string | undefined): void {
  if (name === undefined || /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return;
  throw new TypeError(
    `The header ${JSON.stringify(name)} cannot be the name of a header; give one such as X-Signature`,
  );
}
