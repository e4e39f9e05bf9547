import { actsBeforeReading } from './check.ts';
import { Complaint, ScriptError } from './script-error.ts';
import type { Place } from './script-error.ts';
import type { Script, Step } from './step.ts';

/** A step in normal form, with where it was written. */
export interface PlacedStep {
  readonly step: Step;
  readonly place: Place;
}

/** The script, if what must hold between its steps does. */
export function toSequence(placed: readonly PlacedStep[]): Script {
  if (placed.length === 0)
    throw new ScriptError({ step: 1, seen: 'nothing' }, 'a script has at least one step; write 200');
  checkMatching(placed);
  for (const [index, later] of placed.entries()) checkReachable(later, placed.slice(0, index));
  return placed.map(({ step }) => step);
}

/** Turns what is wrong inside a step into an error that says where the step stands. */
export function atPlace<T>(place: Place, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Complaint ? new ScriptError(place, error.message, { cause: error }) : error;
  }
}

function checkMatching(placed: readonly PlacedStep[]): void {
  const early = placed.find(({ step }) => actsBeforeReading(step));
  const matching = placed.find(({ step }) => step.on !== undefined);
  if (early === undefined || matching === undefined) return;
  throw new ScriptError(
    early.place,
    `it acts before the request is read, but step ${matching.place.step} needs the event's type; use the stage request here`,
  );
}

function checkReachable(later: PlacedStep, before: readonly PlacedStep[]): void {
  const barrier = before.find((earlier) => alwaysTakes(earlier.step, later.step));
  if (barrier === undefined) return;
  throw new ScriptError(
    later.place,
    `it is never reached, because step ${barrier.place.step} always answers; give that one a number of times, or put it last`,
  );
}

/** Whether `earlier` answers every request that `later` is for. */
function alwaysTakes(earlier: Step, later: Step): boolean {
  if (earlier.times !== 'always' || earlier.chance !== undefined) return false;
  return earlier.on === undefined || (later.on?.every((type) => earlier.on?.includes(type)) ?? false);
}
