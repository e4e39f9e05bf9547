import type { Budget } from '../evaluation/budget.ts';
import type { ViolationKind } from '../losses/violations.ts';

/** One thing in an event that is not as its rule says. */
export interface Fault {
  readonly kind: ViolationKind;
  /** Keys and positions from the event down to what is wrong, or missing. */
  readonly steps: readonly string[];
  /** What it must be; never what it is. */
  readonly message: string;
  /** False where the fault is that something is not there. */
  readonly isThere: boolean;
}

/** The way to a place, from its end: most events have no fault, and then no path is ever written out. */
export interface Place {
  readonly step: string | number;
  readonly within: Place | undefined;
}

/** One run of a rule over a value. */
export interface Run {
  readonly budget: Budget;
  /** Where faults go; without it, the first fault ends the run. */
  readonly faults: Fault[] | undefined;
}

/** Whether a value is as one part of a rule says. Throws nothing but OverBudget. */
export type Check = (value: unknown, at: Place | undefined, run: Run) => boolean;

/** The place of a field or item; nobody asks for it where no faults are told. */
export function below(at: Place | undefined, step: string | number, { faults }: Run): Place | undefined {
  return faults && { step, within: at };
}

/** The same run where its faults are not told: what surrounds them says what is wrong. */
export function untold(run: Run): Run {
  return run.faults === undefined ? run : { budget: run.budget, faults: undefined };
}

/** Holds when all do; where faults are told, each is asked. */
export function allOf(checks: readonly Check[]): Check {
  const [only, second] = checks;
  if (only !== undefined && second === undefined) return only;
  return (value, at, run) => {
    let holds = true;
    for (const check of checks) {
      if (check(value, at, run)) continue;
      if (run.faults === undefined) return false;
      holds = false;
    }
    return holds;
  };
}

/** What telling a fault takes. */
const FAULT_STEPS = 120;

/** Tells that a value is wrong. */
export function wrong(run: Run, at: Place | undefined, kind: ViolationKind, message: string): false {
  return tell(run, { kind, steps: stepsOf(at), message, isThere: true });
}

/** Tells that a field is missing. */
export function missing(run: Run, at: Place | undefined, name: string, message: string): false {
  return tell(run, { kind: 'required_missing', steps: [...stepsOf(at), name], message, isThere: false });
}

/** Tells that a field may not be there under this name. */
export function unplanned(run: Run, at: Place | undefined, name: string, message: string): false {
  const steps = [...stepsOf(at), name];
  return tell(run, { kind: unplannedKind(steps), steps, message, isThere: true });
}

function unplannedKind([group = '', ...inner]: readonly string[]): ViolationKind {
  if (inner.length === 0 || (group !== 'properties' && group !== 'traits')) return 'rule_violated';
  return group === 'traits' ? 'unplanned_trait' : 'unplanned_property';
}

function tell({ faults, budget }: Run, fault: Fault): false {
  if (faults === undefined) return false;
  budget.spend(FAULT_STEPS);
  faults.push(fault);
  return false;
}

export function stepsOf(place: Place | undefined): string[] {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.within) steps.push(String(at.step));
  return steps.toReversed();
}
