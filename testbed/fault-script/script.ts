import { normalizeStep } from './check.ts';
import { parseScript } from './parser.ts';
import { ScriptError, show } from './script-error.ts';
import { atPlace, toSequence } from './sequence.ts';
import type { Script } from './step.ts';

/** Either form of a fault script, checked, in normal form; throws a ScriptError. */
export function toScript(given: string | Script): Script {
  return typeof given === 'string' ? parseScript(given) : checkScript(given);
}

/** The data form, from wherever it came, in normal form; throws a ScriptError that names the step. */
export function checkScript(value: unknown): Script {
  if (!Array.isArray(value)) {
    throw new ScriptError(
      { step: 1, seen: show(value) },
      'a script is a list of steps; write [{ status: 503 }], for instance',
    );
  }
  return toSequence(
    value.map((given: unknown, index) => {
      const place = { step: index + 1, seen: show(given) };
      return { place, step: atPlace(place, () => normalizeStep(given)) };
    }),
  );
}
