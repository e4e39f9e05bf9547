import type { Budget } from '../evaluation/budget.ts';
import { type Place, stepsOf } from './check.ts';
import type { Foreseen } from './foreseen.ts';

/** The way to every field of a value that the rule does not list; of a field that is not listed nothing below is looked at. */
export function unplannedIn(value: unknown, foreseen: Foreseen, budget: Budget): string[][] {
  const found: string[][] = [];
  collect(value, { foreseen, at: undefined, found, budget });
  return found;
}

/** Of each field and item that is gone through, and of each that is found. */
const VALUE_STEPS = 16;
const FOUND_STEPS = 80;

interface Look {
  readonly foreseen: Foreseen;
  readonly at: Place | undefined;
  readonly found: string[][];
  readonly budget: Budget;
}

function collect(value: unknown, { foreseen: { fields, items }, at, found, budget }: Look): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (items === undefined) return;
    budget.spend(VALUE_STEPS * value.length);
    for (const [step, item] of value.entries()) {
      collect(item, { foreseen: items, at: { step, within: at }, found, budget });
    }
    return;
  }
  if (fields === undefined) return;
  const steps = Object.keys(value);
  budget.spend(VALUE_STEPS * steps.length);
  for (const step of steps) {
    const known = fields.names.get(step);
    if (known !== undefined) {
      if (known.fields === undefined && known.items === undefined) continue;
      collect(Reflect.get(value, step), { foreseen: known, at: { step, within: at }, found, budget });
    } else if (!fields.isOpen && !fields.patterns.some(({ test }) => test(step, budget))) {
      budget.spend(FOUND_STEPS);
      found.push(stepsOf({ step, within: at }));
    }
  }
}
