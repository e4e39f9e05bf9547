import type { Mistake } from './mistake.ts';
import { toHex } from './signature.ts';

/** How a digest is written. */
export type Encoding = 'hex' | 'base64';

/** A digest that stands in a header, and what is unusual about how it is written. */
export interface WrittenDigest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mistakes: readonly Mistake[];
}

/** Reads a signature however it was written; undefined when it can be no digest at all. */
export function readDigest(header: string): WrittenDigest | undefined {
  const bare = header.replaceAll(/^[\s"']+|[\s"']+$/g, '');
  const [, prefix = '', text = ''] = /^((?:sha-?\d+|v\d)[=,:]\s*|0x)?(.*)$/is.exec(bare) ?? [];
  const dress: Mistake[] = [
    ...(bare === header ? [] : ['encoding-whitespace' as const]),
    ...(prefix === '' ? [] : ['encoding-prefix' as const]),
  ];
  const hex = fromHex(text);
  if (hex !== undefined) {
    return { bytes: hex, mistakes: text === text.toLowerCase() ? dress : [...dress, 'encoding-upper-case'] };
  }
  const base64 = fromBase64(text);
  return base64 === undefined ? undefined : { bytes: base64, mistakes: [...dress, 'encoding-base64'] };
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Plain base64 or the one for URLs, with or without padding. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function encoded(digest: Uint8Array, encoding: Encoding): string {
  return encoding === 'hex' ? toHex(digest) : btoa(String.fromCharCode(...digest));
}

/** Undefined for a text that is none of this encoding, in its one spelling: lower-case hex, padded base64. */
export function decoded(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
  const bytes = encoding === 'hex' ? fromHex(text) : fromBase64(text);
  return bytes !== undefined && encoded(bytes, encoding) === text ? bytes : undefined;
}
