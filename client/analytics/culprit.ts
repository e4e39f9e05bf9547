import { writesItself } from './writes-itself.ts';

/** Beyond this depth nothing is looked for, so that no nesting is too deep for the search itself. */
const DEEPEST = 100;

/** Nor after as many values: an object that stands twice on each level is met twice as often with each of them. */
const MAX_VALUES = 10_000;

/** How many values are still looked into. */
interface Budget {
  left: number;
}

/** What keeps a value from being written as JSON, with its path; undefined when it is not found. */
export function culprit(
  holder: object,
  prefix = '',
  above: readonly unknown[] = [],
  budget: Budget = { left: MAX_VALUES },
): string | undefined {
  for (const key of Object.keys(holder)) {
    const found = culpritAt(holder, key, prefix + key, [...above, holder], budget);
    if (found) return found;
  }
  return undefined;
}

function culpritAt(
  holder: object,
  key: string,
  path: string,
  above: readonly unknown[],
  budget: Budget,
): string | undefined {
  let value: unknown;
  let reader = 'getter';
  try {
    value = Reflect.get(holder, key);
    reader = 'toJSON';
    // What it gives is written as it is, also when it is an object that could write itself.
    if (typeof value === 'object' && value !== null && writesItself(value)) value = value.toJSON(key);
  } catch {
    return `${path} has a ${reader} that throws`;
  }
  if (typeof value === 'bigint') return `${path} is a BigInt: give it as a text or a number`;
  budget.left -= 1;
  if (typeof value !== 'object' || value === null || budget.left < 0) return undefined;
  if (above.includes(value)) return `${path} refers back to an object that holds it`;
  return above.length > DEEPEST ? undefined : culprit(value, `${path}.`, above, budget);
}
