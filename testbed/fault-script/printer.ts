import { FIELDS, WORDS } from './fields.ts';
import { quoted, shortName } from './short-form.ts';
import type { Script, Step, Word, Words } from './step.ts';

/** The short form of a script in normal form. */
export function printScript(script: Script): string {
  return script.map(printStep).join(',');
}

export function printStep(step: Step): string {
  const given = WORDS.filter((word) => step[word] !== undefined);
  const parts = given.filter((word) => word !== 'on' && word !== 'times').flatMap((word) => printParts(word, step));
  // An empty step is a plain 200, and a step has to be written somehow.
  const text = parts.length === 0 ? '200' : parts.join('+');
  return `${printTypes(step)}${text}${printTimes(step, text)}`;
}

function printTypes({ on }: Step): string {
  return on === undefined ? '' : `${on.join('|')}:`;
}

/** Tight after a bare status, as in 503x2; elsewhere an x could belong to a value. */
function printTimes({ times }: Step, before: string): string {
  if (times === undefined) return '';
  return `${/^\d+$/.test(before) ? '' : ' '}x${times === 'always' ? '*' : times}`;
}

function printParts(word: Word, step: Step): readonly string[] {
  const texts = [printWord(word, step[word])].flat();
  if (word === 'status' || word === 'chance') return texts;
  return texts.map((text) => (text === '' ? shortName(word) : `${shortName(word)}:${quoted(text)}`));
}

/** The generic parameter ties the word's field to the word's value. */
function printWord<W extends Word>(word: W, value: Words[W] | undefined): string | readonly string[] {
  return value === undefined ? [] : FIELDS[word].print(value);
}
