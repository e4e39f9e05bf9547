/** What a browser has not, of modules that are loaded and not used for it. */
export function readFileSync(): never {
  throw new Error('a browser has no files');
}

/** Of values of JSON. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Names are not looked up here. */
export function isIP(): number {
  return 0;
}
