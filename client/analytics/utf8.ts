/** Bytes that a text takes in UTF-8; `TextEncoder` is quick, and not everywhere, such as in pages that tests make up. */
export function byteLength(text: string): number {
  return typeof TextEncoder === 'function' ? new TextEncoder().encode(text).length : new Blob([text]).size;
}
