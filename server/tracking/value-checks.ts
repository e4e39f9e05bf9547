import { isObject } from '../model/json-values.ts';
import addFormats from 'ajv-formats';
import { type Check, wrong } from './check.ts';
import type { Patterns } from './pattern.ts';
import { type Fields, numberIn, textIn } from './schema-parts.ts';

type Bound = readonly [keyword: string, holds: (value: number, bound: number) => boolean, words: string];

const BOUNDS: readonly Bound[] = [
  ['maximum', (value, bound) => value <= bound, '<='],
  ['minimum', (value, bound) => value >= bound, '>='],
  ['exclusiveMaximum', (value, bound) => value < bound, '<'],
  ['exclusiveMinimum', (value, bound) => value > bound, '>'],
  ['multipleOf', (value, bound) => Number.isInteger(value / bound), 'multiple of'],
];

export function numberChecks(schema: Fields): Check[] {
  return BOUNDS.flatMap(([keyword, holds, words]) => {
    const bound = numberIn(schema, keyword);
    if (bound === undefined) return [];
    const message = `must be ${words} ${bound}`;
    return (value, at, run) => !isNumber(value) || holds(value, bound) || wrong(run, at, 'value_not_allowed', message);
  });
}

export function textChecks(schema: Fields, patterns: Patterns): Check[] {
  const [most, least] = [numberIn(schema, 'maxLength'), numberIn(schema, 'minLength')];
  const [pattern, format] = [textIn(schema, 'pattern'), textIn(schema, 'format')];
  const checks: Check[] = [];
  if (most !== undefined) checks.push(lengthCheck((length) => length <= most, `more than ${most}`));
  if (least !== undefined) checks.push(lengthCheck((length) => length >= least, `fewer than ${least}`));
  if (pattern !== undefined) {
    const { test } = patterns.of(pattern, 'pattern');
    const message = `must match pattern "${pattern}"`;
    checks.push(
      (value, at, run) =>
        typeof value !== 'string' || test(value, run.budget) || wrong(run, at, 'value_not_allowed', message),
    );
  }
  const isOfFormat = format === undefined ? undefined : formatTest(format);
  if (isOfFormat !== undefined) {
    const message = `must match format "${format}"`;
    checks.push((value, at, run) => {
      if (typeof value !== 'string') return true;
      run.budget.spend(FORMAT_STEPS * (1 + value.length));
      return isOfFormat(value) || wrong(run, at, 'value_not_allowed', message);
    });
  }
  return checks;
}

/** In characters, as JSON Schema counts: what takes two units is one. */
function lengthCheck(holds: (length: number) => boolean, words: string): Check {
  const message = `must NOT have ${words} characters`;
  return (value, at, run) => {
    if (typeof value !== 'string') return true;
    run.budget.spend(1 + value.length);
    let length = value.length;
    for (let index = 1; index < value.length; index += 1) {
      if (isLow(value.charCodeAt(index)) && isHigh(value.charCodeAt(index - 1))) length -= 1;
    }
    return holds(length) || wrong(run, at, 'value_not_allowed', message);
  };
}

function isHigh(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff;
}

/** Checks of single values; those left out accept any text. Each takes a time that grows with the text. */
const PLAIN_FORMATS = ['uri', 'uri-reference', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'duration'] as const;
const TIME_FORMATS = ['date', 'time', 'date-time'] as const;

/** Of each character. */
const FORMAT_STEPS = 2;

function formatTest(name: string): ((text: string) => boolean) | undefined {
  const [plain, time] = [PLAIN_FORMATS.find((one) => one === name), TIME_FORMATS.find((one) => one === name)];
  const format = plain ? addFormats.default.get(plain, 'fast') : time && addFormats.default.get(time, 'full');
  const test = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (test instanceof RegExp) return (text) => test.test(text);
  return typeof test === 'function' ? (text) => Reflect.apply(test, undefined, [text]) === true : undefined;
}

/** What stands in `enum` or `const`. Texts, numbers and the like are found at once, however many they are. */
export function choiceCheck(choices: readonly unknown[], message: string): Check {
  const simple = new Set(choices.filter(isSimple));
  // A comparison ends at the latest where the choice does.
  const others = choices.filter((choice) => !isSimple(choice)).map((choice) => ({ choice, steps: stepsFor(choice) }));
  return (value, at, run) => {
    if (simple.has(value)) return true;
    if (!isSimple(value)) {
      for (const { choice, steps } of others) {
        run.budget.spend(steps);
        if (isSame(choice, value)) return true;
      }
    }
    return wrong(run, at, 'value_not_allowed', message);
  };
}

function isSimple(choice: unknown): boolean {
  return typeof choice !== 'object' || choice === null;
}

function stepsFor(choice: unknown): number {
  return 30 + 4 * (JSON.stringify(choice)?.length ?? 0);
}

/** As JSON means it: the order of fields does not matter. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || left === null) return left === right;
  if (typeof right !== 'object' || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const entries = Object.entries(left);
  let others = 0;
  for (const key in right) {
    if (Object.hasOwn(right, key)) others += 1;
    if (others > entries.length) return false;
  }
  return (
    entries.length === others &&
    entries.every(([key, value]) => Object.hasOwn(right, key) && isSame(value, Reflect.get(right, key)))
  );
}

const TYPE_TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: (value) => Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  number: isNumber,
  object: isObject,
  string: (value) => typeof value === 'string',
};

export function typeCheck(types: readonly string[]): Check {
  const tests = types.flatMap((type) => TYPE_TESTS[type] ?? []);
  const message = `must be ${types.join(',')}`;
  const [only, second] = tests;
  if (only !== undefined && second === undefined) {
    return (value, at, run) => only(value) || wrong(run, at, 'type_mismatch', message);
  }
  return (value, at, run) => tests.some((test) => test(value)) || wrong(run, at, 'type_mismatch', message);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
