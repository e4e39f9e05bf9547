import { distinct, textVariant } from './variant.ts';
import type { Variant } from './variant.ts';

/** What Windows-1252 has from 0x80 to 0x9f; elsewhere it is Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** A longer body is not read as if each of its bytes were a character. */
const MAX_BYTES = 65_536;

/** The text as other charsets write it. Libraries cut off what Latin-1 has not, or put a question mark in its place. */
export function encodedWrongly(text: string): readonly Variant[] {
  const cutOff = Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const wide = Uint8Array.from(
    { length: text.length * 2 },
    (_, at) => (text.charCodeAt(at >> 1) >> (8 * (at % 2))) & 255,
  );
  const narrow = [cutOff, encoded(text, ''), encoded(text, WINDOWS), wide];
  return distinct([
    ...narrow.map((bytes) => ({ mistake: 'body-charset', bytes }) as const),
    textVariant('body-charset', text.replaceAll(/[^\0-\x7f]/gu, '?')),
    textVariant('body-charset', text.replaceAll(/[^\0-\x7f]/gu, '\ufffd')),
  ]);
}

/** The bytes as UTF-8 of what other charsets read in them: UTF-8 twice, or a body that came in Latin-1. */
export function decodedWrongly(body: Uint8Array): readonly Variant[] {
  if (body.length > MAX_BYTES) return [];
  return distinct(['', WINDOWS].map((upper) => textVariant('body-charset', decoded(body, upper))));
}

/** `upper` stands for the bytes from 0x80 on, as far as it goes; all others are Latin-1. */
function encoded(text: string, upper: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Array.from(text), (character) => {
    const at = upper.indexOf(character);
    if (at >= 0) return 0x80 + at;
    const code = character.codePointAt(0) ?? 0;
    return code < 256 ? code : 0x3f;
  });
}

function decoded(bytes: Uint8Array, upper: string): string {
  return Array.from(bytes, (byte) => upper[byte - 0x80] ?? String.fromCharCode(byte)).join('');
}
