import type { Foreseen } from './foreseen.ts';

/** The way to every field of a value that the rule does not list; of a field that is not listed nothing below is looked at. */
export function unplannedIn(value: unknown, foreseen: Foreseen): string[][] {
  const found: string[][] = [];
  collect(value, { foreseen, at: undefined, found });
  return found;
}

/** The way to a place, from its end: most events have nothing unplanned, and then no path is ever written out. */
interface Place {
  readonly step: string | number;
  readonly within: Place | undefined;
}

interface Look {
  readonly foreseen: Foreseen;
  readonly at: Place | undefined;
  readonly found: string[][];
}

function collect(value: unknown, { foreseen: { fields, items }, at, found }: Look): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (items === undefined) return;
    for (const [step, item] of value.entries()) collect(item, { foreseen: items, at: { step, within: at }, found });
    return;
  }
  if (fields === undefined) return;
  for (const step of Object.keys(value)) {
    const known = fields.names.get(step);
    if (known !== undefined) {
      if (known.fields === undefined && known.items === undefined) continue;
      collect(Reflect.get(value, step), { foreseen: known, at: { step, within: at }, found });
    } else if (!fields.isOpen && !fields.patterns.some((pattern) => pattern.test(step))) {
      found.push(pathOf({ step, within: at }));
    }
  }
}

function pathOf(place: Place): string[] {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.within) steps.push(String(at.step));
  return steps.toReversed();
}
