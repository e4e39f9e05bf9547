import type { Mistake } from './mistake.ts';

/** A value as it would be after some mistake; without one it is the value itself. */
export interface Variant {
  readonly mistake?: Mistake;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const UTF8 = new TextEncoder();

export function textVariant(mistake: Mistake, text: string): Variant {
  return { mistake, bytes: UTF8.encode(text) };
}

/** The text as its characters' low bytes, as Latin-1 would write it; undefined when it has others. */
export function latin1(text: string): Uint8Array<ArrayBuffer> | undefined {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.every((code) => code < 256) ? Uint8Array.from(codes) : undefined;
}

/** The first of those that are alike. */
export function distinct(variants: readonly Variant[]): readonly Variant[] {
  return variants.filter(({ bytes }, index) => !variants.slice(0, index).some((before) => equal(before.bytes, bytes)));
}

export function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
