import type { Budget } from './budget.ts';

/** Of each key of an object that is written. */
const KEY_STEPS = 30;

/** Spends what it takes to write a value as JSON, before it is written. */
export function spendOnJson(value: unknown, budget: Budget): void {
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    budget.spend(typeof next === 'string' ? 2 + 2 * next.length : 4);
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) for (const item of next) stack.push(item);
    else {
      for (const [key, inner] of Object.entries(next)) {
        budget.spend(KEY_STEPS + key.length);
        stack.push(inner);
      }
    }
  }
}
