/** The few pieces of DER of which a certificate is made (X.690): a tag, a length, and what is in it. */

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts);
export const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const yes = (): Buffer => tagged(0x01, Buffer.of(0xff));
/** A bit string of whole bytes. */
export const bits = (content: Uint8Array): Buffer => tagged(0x03, Buffer.of(0), content);
/** A field that its number alone names; `[3] { … }`. */
export const explicit = (number: number, content: Uint8Array): Buffer => tagged(0xa0 + number, content);
/** One choice among several that share a type; `[2] "text"`. */
export const implicit = (number: number, content: Uint8Array): Buffer => tagged(0x80 + number, content);

/** A number that is not negative. */
export function integer(content: Uint8Array): Buffer {
  return tagged(0x02, (content[0] ?? 0) < 0x80 ? content : Buffer.concat([Buffer.of(0), content]));
}

/** `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.of(first * 40 + second), ...rest.map(base128));
}

/** To the second, with four digits of year. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text, 'ascii'));
}

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size);
  return size < 0x100 ? Buffer.of(0x81, size) : Buffer.of(0x82, size >> 8, size & 0xff);
}

/** Seven bits a byte, the last without the mark of going on. */
function base128(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return Buffer.from(bytes);
}
