import type { Budget } from '../evaluation/budget.ts';

export type Kind = 'string' | 'number' | 'bool' | 'list' | 'object' | 'null';

/** What `typeof` answers. What is not there is null. */
export function kindOf(value: unknown): Kind {
  if (isNothing(value)) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string' || typeof value === 'number') return typeof value === 'string' ? 'string' : 'number';
  return typeof value === 'boolean' ? 'bool' : 'object';
}

export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Same kind and same value; lists item by item. Objects are equal to nothing. */
export function isEqual(left: unknown, right: unknown, budget: Budget): boolean {
  budget.spend(4);
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index], budget));
  }
  if (typeof left === 'string') budget.spend(left.length / 16);
  return typeof left !== 'object' && left === right;
}

/** Undefined where the two cannot be put in order: different kinds, or neither texts nor numbers. */
export function orderOf(left: unknown, right: unknown, budget: Budget): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  budget.spend(1 + left.length / 16);
  return left === right ? 0 : left < right ? -1 : 1;
}
