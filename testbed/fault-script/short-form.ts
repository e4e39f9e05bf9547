import { FIELDS, WORDS } from './fields.ts';
import { EVENT_TYPES } from './step.ts';
import type { EventType, Word } from './step.ts';

/**
 * The short form: `[types:] part [+ part]… [x times]`, steps with a comma between them; spaces are free around all of it.
 *
 *   503x2, delay:6s, 200
 *   track|page: 503 + retry-after:30s + 30% x*, 200
 *
 * A part is a status, a chance (`30%`), or a word, mostly with a value after a colon. A value that holds a space, a
 * comma, a plus or a quotation mark stands in quotation marks, as in JSON.
 */
const UNNAMED: ReadonlySet<Word> = new Set(['on', 'status', 'chance', 'times']);

/** Word of the data form to its name in the short form, for the words that are written with one. */
const NAMES: ReadonlyMap<Word, string> = new Map(
  WORDS.filter((word) => !UNNAMED.has(word)).map((word) => [
    word,
    FIELDS[word].repeats ? word.replace(/s$/, '') : kebab(word),
  ]),
);
const BY_NAME: ReadonlyMap<string, Word> = new Map([...NAMES].map(([word, name]) => [name, word]));

export const SHORT_NAMES: readonly string[] = [...BY_NAME.keys()];

export function shortName(word: Word): string {
  return NAMES.get(word) ?? word;
}

export function wordNamed(name: string): Word | undefined {
  return BY_NAME.get(name);
}

export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((type) => type === text);
}

export function quoted(value: string): string {
  return /^[^\s,+"]+$/.test(value) ? value : JSON.stringify(value);
}

function kebab(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
