import { matchesGlob } from './glob.ts';
import { isNothing, kindOf } from './values.ts';

/** How many arguments a function takes, and what it makes of their values. */
interface FqlFunction {
  readonly arity: number;
  readonly apply: (...values: readonly unknown[]) => unknown;
}

/** On what is not there, or of another kind, each has an answer: an event never makes a condition fail. */
export const FUNCTIONS = {
  contains: { arity: 2, apply: contains },
  length: { arity: 1, apply: lengthOf },
  lowercase: { arity: 1, apply: onText((text) => text.toLowerCase()) },
  uppercase: { arity: 1, apply: onText((text) => text.toUpperCase()) },
  snakecase: { arity: 1, apply: onText((text) => wordsOf(text).join('_')) },
  kebabcase: { arity: 1, apply: onText((text) => wordsOf(text).join('-')) },
  titlecase: { arity: 1, apply: onText(titlecase) },
  typeof: { arity: 1, apply: (value) => kindOf(value) },
  match: { arity: 2, apply: (value, pattern) => isText(value) && isText(pattern) && matchesGlob(value, pattern) },
  bool: { arity: 1, apply: toBoolean },
  string: { arity: 1, apply: toText },
  number: { arity: 1, apply: toNumber },
} as const satisfies Record<string, FqlFunction>;

export type FunctionName = keyof typeof FUNCTIONS;

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

export function call(name: FunctionName, values: readonly unknown[]): unknown {
  const { apply }: FqlFunction = FUNCTIONS[name];
  return apply(...values);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function onText(change: (text: string) => string): (value: unknown) => unknown {
  return (value) => (isText(value) ? change(value) : null);
}

function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(value)) return value.includes(part);
  return isText(value) && isText(part) && value.includes(part);
}

/** Of a text in bytes of UTF-8, of a list in items. */
function lengthOf(value: unknown): number {
  if (isText(value)) return Buffer.byteLength(value, 'utf8');
  return Array.isArray(value) ? value.length : 0;
}

/** Where a case changes, and where anything but a letter or digit stands, a word ends. */
function wordsOf(text: string): string[] {
  const parted = text.replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (parted.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
}

function titlecase(text: string): string {
  return text.replaceAll(/\S+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
}

function toBoolean(value: unknown): boolean {
  if (isText(value)) return !['', 'false', '0'].includes(value.toLowerCase());
  return typeof value === 'number' ? value !== 0 : value === true;
}

function toText(value: unknown): string | null {
  if (isNothing(value)) return null;
  return isText(value) ? value : JSON.stringify(value);
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = isText(value) && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
