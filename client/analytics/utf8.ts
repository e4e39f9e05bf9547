const UTF8 = new TextEncoder();

/** Bytes that a text takes in UTF-8. */
export function byteLength(text: string): number {
  return UTF8.encode(text).length;
}
