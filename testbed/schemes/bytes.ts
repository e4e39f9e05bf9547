import { fromBase64, fromHex } from '../../client/webhooks/digest-text.ts';

/** How a digest is written. */
export type Encoding = 'hex' | 'base64';

export function encoded(digest: Uint8Array, encoding: Encoding): string {
  return Buffer.from(digest).toString(encoding);
}

/** Undefined for a text that is none of this encoding, in its one spelling: lower-case hex, padded base64. */
export function decoded(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
  const bytes = encoding === 'hex' ? fromHex(text) : fromBase64(text);
  return bytes !== undefined && encoded(bytes, encoding) === text ? bytes : undefined;
}

/** Text and bytes as one. */
export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
}
