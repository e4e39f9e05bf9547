import { Complaint, show } from './script-error.ts';

/** How one word of the language is checked in the data form, and read and written in the short form. */
export interface Field<T> {
  /** The value in normal form; throws a Complaint that says what is wrong and what to write. */
  readonly normalize: (value: unknown) => T;
  /** Short form to data form, unchecked. More than one text only if it repeats. */
  readonly parse: (...texts: string[]) => unknown;
  readonly print: (value: T) => string | readonly string[];
  /** It may stand several times in a step. */
  readonly repeats?: true;
}

export function simple<T extends string>(normalize: (value: unknown) => T): Field<T> {
  return { normalize, parse: (text) => text, print: (value) => value };
}

export function oneOf<T extends string>(choices: readonly T[]): Field<T> {
  return simple((value) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new Complaint(`${show(value)} is not a choice; use one of ${choices.join(', ')}`);
  });
}

export function integer(what: string, least: number, most: number): Field<number> {
  return {
    normalize: (value) => wholeNumber(what, value, least, most),
    parse: (text = '') => numberOrText(text),
    print: String,
  };
}

export function wholeNumber(what: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Complaint(`${show(value)} is no ${what}; write a whole number from ${least} to ${most}`);
}

/** Text that is no number stays text, so that the complaint shows what was written. */
export function numberOrText(text: string): unknown {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

export function hasKeys<K extends string>(value: unknown, ...keys: readonly K[]): value is Record<K, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}
