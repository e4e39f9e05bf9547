import { instantOf } from '../events/times.ts';
import type { Comparison, Scalar } from './plan.ts';

/** Whether a value compares as it is asked to. Nothing does where there is none, or one of another kind. */
export function compares(value: unknown, is: Comparison): boolean {
  if (value === undefined || value === null) return false;
  if ('eq' in is) return value === is.eq;
  if ('neq' in is) return typeof value === typeof is.neq && value !== is.neq;
  if ('in' in is) return is.in.some((one) => value === one);
  if ('contains' in is) return contains(value, is.contains);
  if ('starts_with' in is) return typeof value === 'string' && whole(value).startsWith(whole(is.starts_with));
  if ('exists' in is) return true;
  if ('before' in is) return areInOrder(instantIn(value), instantIn(is.before));
  if ('after' in is) return areInOrder(instantIn(is.after), instantIn(value));
  return typeof value === 'number' && isBeyond(value, is);
}

type Bound = Extract<Comparison, { gt: number } | { gte: number } | { lt: number } | { lte: number }>;

function isBeyond(value: number, is: Bound): boolean {
  if ('gt' in is) return value > is.gt;
  if ('gte' in is) return value >= is.gte;
  return 'lt' in is ? value < is.lt : value <= is.lte;
}

function contains(value: unknown, part: Scalar): boolean {
  if (Array.isArray(value)) return value.includes(part);
  return typeof value === 'string' && typeof part === 'string' && whole(value).includes(whole(part));
}

/** Half of a character is none, and no part of another. */
function whole(text: string): string {
  return text.toWellFormed();
}

function areInOrder(earlier: number | undefined, later: number | undefined): boolean {
  return earlier !== undefined && later !== undefined && earlier < later;
}

/** Of an ISO 8601 text; without a zone it is UTC. Digits alone may be anything. */
export function instantIn(value: unknown): number | undefined {
  return typeof value === 'string' && !/^\d*$/.test(value) ? instantOf(value) : undefined;
}
