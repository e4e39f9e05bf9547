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

/** In seconds. No other clock of a browser goes on while its machine sleeps. */
export function uptime(): number {
  return performance.now() / 1_000;
}

/** Lets others go on. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}
