import { fromBase64, fromHex } from '../../client/webhooks/digest-text.ts';
import type { Encoding } from '../../client/webhooks/senders/form.ts';

export function encoded(digest: Uint8Array, encoding: Encoding): string {
  return Buffer.from(digest).toString(encoding);
}

/** Undefined for a text that is none of this encoding, in its one spelling: lower-case hex, padded base64. */
export function decoded(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
  const bytes = encoding === 'hex' ? fromHex(text) : fromBase64(text);
  return bytes !== undefined && encoded(bytes, encoding) === text ? bytes : undefined;
}
