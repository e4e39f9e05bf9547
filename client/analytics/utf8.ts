/**
 * Bytes that a text takes in UTF-8, without writing them. Half of a surrogate pair counts two; JSON holds no half alone,
 * since `JSON.stringify` escapes it.
 */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
