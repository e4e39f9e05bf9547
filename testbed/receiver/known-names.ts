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
