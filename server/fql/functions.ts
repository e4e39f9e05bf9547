import type { Budget } from '../evaluation/budget.ts';
import { spendOnJson } from '../evaluation/json-steps.ts';
import { matchesGlob } from './glob.ts';
import { includesPart } from './search.ts';
import { isNothing, kindOf } from './values.ts';

/** How many arguments a function takes, and what it makes of their values; what that takes it spends itself. */
interface FqlFunction {
  readonly arity: number;
  readonly apply: (budget: Budget, ...values: readonly unknown[]) => unknown;
}

/** For each character of a text that is taken apart into words. */
const WORDS_STEPS = 16;

/** On what is not there, or of another kind, each has an answer: an event never makes a condition fail. */
export const FUNCTIONS = {
  contains: { arity: 2, apply: contains },
  length: { arity: 1, apply: lengthOf },
  lowercase: { arity: 1, apply: onText(1, (text) => text.toLowerCase()) },
  uppercase: { arity: 1, apply: onText(1, (text) => text.toUpperCase()) },
  snakecase: { arity: 1, apply: onText(WORDS_STEPS, (text) => wordsOf(text).join('_')) },
  kebabcase: { arity: 1, apply: onText(WORDS_STEPS, (text) => wordsOf(text).join('-')) },
  titlecase: { arity: 1, apply: onText(WORDS_STEPS, titlecase) },
  typeof: { arity: 1, apply: (_budget, value) => kindOf(value) },
  match: { arity: 2, apply: match },
  bool: { arity: 1, apply: toBoolean },
  string: { arity: 1, apply: toText },
  number: { arity: 1, apply: toNumber },
} as const satisfies Record<string, FqlFunction>;

export type FunctionName = keyof typeof FUNCTIONS;

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

export function call(name: FunctionName, values: readonly unknown[], budget: Budget): unknown {
  const { apply }: FqlFunction = FUNCTIONS[name];
  return apply(budget, ...values);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** `steps` are for each character. */
function onText(steps: number, change: (text: string) => string): FqlFunction['apply'] {
  return (budget, value) => {
    if (!isText(value)) return null;
    budget.spend(steps * value.length);
    return change(value);
  };
}

function match(budget: Budget, value: unknown, pattern: unknown): boolean {
  return isText(value) && isText(pattern) && matchesGlob(value, pattern, budget);
}

function contains(budget: Budget, value: unknown, part: unknown): boolean {
  if (!Array.isArray(value)) return isText(value) && isText(part) && includesPart(value, part, budget);
  budget.spend(value.length * (isText(part) ? 1 + part.length / 16 : 1));
  return value.includes(part);
}

/** Of a text in bytes of UTF-8, of a list in items. */
function lengthOf(budget: Budget, value: unknown): number {
  if (!isText(value)) return Array.isArray(value) ? value.length : 0;
  budget.spend(value.length / 4);
  return Buffer.byteLength(value, 'utf8');
}

/** Where a case changes, and where anything but a letter or digit stands, a word ends. */
export function wordsOf(text: string): string[] {
  const parted = text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (parted.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
}

function titlecase(text: string): string {
  return text.replaceAll(/\S+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
}

function toBoolean(_budget: Budget, value: unknown): boolean {
  if (isText(value)) return value.length > 5 || !['', 'false', '0'].includes(value.toLowerCase());
  return typeof value === 'number' ? value !== 0 : value === true;
}

function toText(budget: Budget, value: unknown): string | null {
  if (isNothing(value)) return null;
  if (isText(value)) return value;
  // Before it is written: each text within can become six times as long, and a condition can do that again and again.
  spendOnJson(value, budget);
  return JSON.stringify(value);
}

function toNumber(budget: Budget, value: unknown): number | null {
  if (isText(value)) budget.spend(value.length / 4);
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = isText(value) && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
