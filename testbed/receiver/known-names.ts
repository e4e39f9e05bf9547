import { nearest } from '../../server/nearest.ts';

/** TypeScript finds a name that is none; a caller in JavaScript would be obeyed in everything but that. */
export function refuseUnknown(what: string, given: object, known: readonly string[]): void {
  const wrong = Object.keys(given).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const guess = nearest(wrong, known);
  throw new TypeError(
    `${what} has no ${wrong}; ${guess === undefined ? `there are ${known.join(', ')}` : `did you mean ${guess}?`}`,
  );
}

/**
 * A name that is given, with nothing behind it: a variable that is not set. Left out it would mean something else than what its
 * caller wanted (no signature, any event, another sender), and nobody would notice.
 */
export function refuseUndefined(whose: string, given: object, names: readonly string[]): void {
  const unset = Object.entries(given).find(([name, value]) => value === undefined && names.includes(name));
  if (unset !== undefined)
    throw new TypeError(`The option ${unset[0]}${whose} is undefined; give it a value, or leave it out`);
}

/** For what says which requests are meant: none of it may be unknown, or undefined. */
export function refuseUnclear(what: string, given: object, known: readonly string[]): void {
  refuseUnknown(what, given, known);
  refuseUndefined(` of ${what.replace(/^The /, 'the ')}`, given, known);
}
