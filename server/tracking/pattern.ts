import { RE2JS, RE2JSException } from 're2js';
import { PATTERN_SIZE, PATTERN_STEPS } from './limits.ts';
import { SchemaFault } from './schema-fault.ts';

/** A regular expression whose time grows with the text, and never explodes. */
export interface Pattern {
  readonly size: number;
  readonly test: (text: string) => boolean;
}

/** What only an engine that can explode runs, by how it is written. */
const BEYOND: readonly (readonly [found: RegExp, name: string, instead: string])[] = [
  [/(?<!\\)(?:\\\\)*\(\?<?[=!]/, 'look-around', 'say what may not match with "not": {"pattern": …} beside it'],
  [/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/, 'a back-reference', 'write out what it repeats'],
];

/** Reads a pattern of JSON Schema with RE2; throws a SchemaFault that names what RE2 does not run, and the way out. */
export function readPattern(text: string, place: string): Pattern {
  const shown = JSON.stringify(text.slice(0, 200));
  for (const [found, name, instead] of BEYOND) {
    if (found.test(text)) throw new SchemaFault(place, `has ${name}, which is not supported: ${instead}; got ${shown}`);
  }
  const compiled = compile(text, place, shown);
  const size = compiled.programSize();
  if (size > PATTERN_SIZE) {
    const instead = 'list words with "enum", and lengths with "minLength" and "maxLength"';
    throw new SchemaFault(place, `is too large a regular expression (${size} of ${PATTERN_SIZE} steps): ${instead}`);
  }
  return { size, test: (subject) => compiled.test(subject) };
}

function compile(text: string, place: string, shown: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(text));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace('error parsing regexp: ', '');
    throw new SchemaFault(place, `is no regular expression of RE2 (${reason}), got ${shown}`);
  }
}

/** The regular expressions of one rule, with what they may take for one event. */
export interface PatternEngine {
  /** To be called before each event. */
  refill(): void;
  readonly of: (text: string) => { test(subject: string): boolean; toString(): string };
}

export function createPatternEngine(): PatternEngine {
  let left = PATTERN_STEPS;
  return {
    refill: () => void (left = PATTERN_STEPS),
    of: (text) => {
      const { size, test } = readPattern(text, 'pattern');
      return {
        test(subject) {
          left -= size * subject.length;
          return left >= 0 && test(subject);
        },
        toString: () => text,
      };
    },
  };
}
