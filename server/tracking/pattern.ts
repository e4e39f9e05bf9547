import { RE2JS, RE2JSException } from 're2js';
import { PATTERN_LENGTH, PATTERN_SIZE } from './limits.ts';
import { type Program, type Run, runnerOf } from './pattern-program.ts';
import { roughSizeOf } from './pattern-size.ts';
import { SchemaFault } from './schema-fault.ts';

/** A regular expression whose time grows with the text, never explodes, and is paid for. */
export interface Pattern {
  readonly test: Run;
  /** Instructions. */
  readonly size: number;
}

/** What only an engine that can explode runs, by how it is written. */
const BEYOND: readonly (readonly [found: RegExp, name: string, instead: string])[] = [
  [/(?<!\\)(?:\\\\)*\(\?<?[=!]/, 'look-around', 'say what may not match with "not": {"pattern": …} beside it'],
  [/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/, 'a back-reference', 'write out what it repeats'],
];

/** Reads a pattern of JSON Schema with RE2; throws a SchemaFault that names what RE2 does not run, and the way out. */
export function readPattern(text: string, place: string): Pattern {
  const shown = JSON.stringify(text.slice(0, 200));
  if (text.length > PATTERN_LENGTH) {
    throw tooLarge(place, `${text.length} of ${PATTERN_LENGTH} characters`);
  }
  for (const [found, name, instead] of BEYOND) {
    if (found.test(text)) throw new SchemaFault(place, `has ${name}, which is not supported: ${instead}; got ${shown}`);
  }
  // Before it is compiled: what it comes to is written out in full by then.
  const rough = roughSizeOf(text);
  if (rough > MAX_ROUGHLY) throw tooLarge(place, `about ${rough} of ${PATTERN_SIZE} steps`);
  const compiled = compile(text, place, shown);
  const size = compiled.programSize();
  if (size > PATTERN_SIZE) throw tooLarge(place, `${size} of ${PATTERN_SIZE} steps`);
  const { prog }: { readonly prog: Program } = compiled.re2();
  return { test: runnerOf(prog), size };
}

/** A rough size may be so much larger than the true one. */
const MAX_ROUGHLY = 10 * PATTERN_SIZE;

function tooLarge(place: string, what: string): SchemaFault {
  const instead = 'list words with "enum", and lengths with "minLength" and "maxLength"';
  return new SchemaFault(place, `is too large a regular expression (${what}): ${instead}`);
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

/** The patterns of a rule, each compiled once. */
export interface Patterns {
  /** Throws a SchemaFault where the pattern cannot be used. */
  of(text: string, place: string): Pattern;
}

export function createPatterns(): Patterns {
  return eachOnce(readPattern);
}

/** The patterns of many rules, to see whether they can be used: of each its size alone is kept, and none can be run. */
export function createPatternSizes(): Patterns {
  return eachOnce((text, place) => ({ test: neverRun, size: readPattern(text, place).size }));
}

function neverRun(): never {
  throw new Error('a pattern that was only looked at cannot be run');
}

function eachOnce(read: Patterns['of']): Patterns {
  const known = new Map<string, Pattern>();
  return {
    of(text, place) {
      const pattern = known.get(text) ?? read(text, place);
      known.set(text, pattern);
      return pattern;
    },
  };
}
