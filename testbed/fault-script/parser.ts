import { normalizeStep, unknownWord } from './check.ts';
import { FIELDS } from './fields.ts';
import { readItems } from './item.ts';
import type { Item, Part } from './item.ts';
import { Complaint, ScriptError } from './script-error.ts';
import { atPlace, toSequence } from './sequence.ts';
import { SHORT_NAMES, wordNamed } from './short-form.ts';
import { EVENT_TYPES } from './step.ts';
import type { Script, Step, Word } from './step.ts';

/** A word with its text; `503x2` holds two of them. */
interface Term {
  readonly word: Word;
  readonly text: string;
  readonly column: number;
}

/** Reads the short form (see short-form.ts) into normal form; throws a ScriptError that names the column. */
export function parseScript(text: string): Script {
  return toSequence(readItems(text).map((item) => ({ place: item.place, step: readStep(item) })));
}

function readStep(item: Item): Step {
  const terms = termsOf(item);
  const draft: { [W in Word]?: unknown } = {};
  for (const [word, group] of Map.groupBy(terms, (term) => term.word)) draft[word] = valueOf(word, group, item);
  try {
    return normalizeStep(draft);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    const column = terms.findLast(({ word }) => word === error.word)?.column ?? item.place.column;
    throw new ScriptError({ ...item.place, column }, error.message, { cause: error });
  }
}

function termsOf({ types, parts, place }: Item): readonly Term[] {
  const prefix: Term[] = types === undefined ? [] : [{ word: 'on', text: types, column: place.column }];
  return prefix.concat(parts.flatMap((part) => atPlace({ ...place, column: part.column }, () => readPart(part))));
}

function readPart({ name, value, column }: Part): readonly Term[] {
  if (value === undefined) {
    const [, status, times] = /^(\d+)(?:x(\d+|\*))?$/.exec(name) ?? [];
    if (status !== undefined && times !== undefined)
      return [termOf('status', status, column), termOf('times', times, column + status.length)];
    if (status !== undefined) return [termOf('status', status, column)];
    if (name.endsWith('%')) return [termOf('chance', name, column)];
    if (/^x[\d*]/.test(name)) return [termOf('times', name.slice(1), column)];
  }
  const word = wordNamed(name);
  if (word === undefined) throw unknownWord(name, [...SHORT_NAMES, ...EVENT_TYPES]);
  if (value === undefined && word !== 'gzip')
    throw new Complaint(`${name} needs a value; write it after a colon, as in delay:6s`);
  return [termOf(word, value ?? '', column)];
}

function termOf(word: Word, text: string, column: number): Term {
  return { word, text, column };
}

function valueOf(word: Word, terms: readonly Term[], { place }: Item): unknown {
  const [, second] = terms;
  const column = (second ?? terms[0])?.column ?? place.column;
  return atPlace({ ...place, column }, () => {
    if (second !== undefined && FIELDS[word].repeats !== true)
      throw new Complaint(`${word} stands twice; write it once`);
    return FIELDS[word].parse(...terms.map(({ text }) => text));
  });
}
