import { Budget, EVALUATION_STEPS } from '../evaluation/budget.ts';
import { RoundRobin } from './round-robin.ts';

/** Steps of one turn of the event loop after which nothing more is begun. One evaluation at most goes beyond. */
export const TURN_STEPS = EVALUATION_STEPS / 2;

/** What is evaluated for all requests and deliveries shares the turns of the event loop. */
export interface Turns {
  /**
   * Asked before each evaluation. Undefined while this turn has room; else it resolves in a later turn: each turn lets one
   * of those who wait go on. Those of one holder go on in order; holders take turns, so that however much one of them has to
   * evaluate, another waits for one turn of each.
   */
  room(holder?: string): Promise<void> | undefined;
  /** Told after each evaluation. */
  spent(steps: number): void;
}

/** The turns of one holder: of a workspace. */
export function turnsOf(turns: Turns, holder: string): Turns {
  return { room: () => turns.room(holder), spent: (steps) => turns.spent(steps) };
}

export function createTurns(schedule: (begin: () => void) => unknown = setImmediate): Turns {
  const waiting = new RoundRobin<() => void>();
  // Since the present turn began.
  let used = 0;
  let isNextAwaited = false;
  const awaitNext = (): void => {
    if (isNextAwaited) return;
    isNextAwaited = true;
    schedule(() => {
      isNextAwaited = false;
      used = 0;
      waiting.take()?.();
      if (waiting.any) awaitNext();
    });
  };
  return {
    room(holder = '') {
      if (used < TURN_STEPS) return undefined;
      awaitNext();
      return new Promise((resolve) => waiting.add(holder, resolve));
    },
    spent(steps) {
      used += steps;
      awaitNext();
    },
  };
}

/** Evaluates within this budget, by default one of its own, as soon as there is room; where there is, at once. */
export async function inTurn<Value>(
  turns: Turns,
  evaluate: (budget: Budget) => Value,
  budget = new Budget(),
): Promise<Value> {
  const wait = turns.room();
  if (wait !== undefined) await wait;
  const value = evaluate(budget);
  turns.spent(budget.used);
  return value;
}

/** Does work that is cut into slices, each with the steps that it took, as turns have room for them. */
export async function inSlices<Value>(turns: Turns, work: Generator<number, Value>): Promise<Value> {
  for (;;) {
    const wait = turns.room();
    if (wait !== undefined) await wait;
    const { done, value } = work.next();
    if (done) return value;
    turns.spent(value);
  }
}
