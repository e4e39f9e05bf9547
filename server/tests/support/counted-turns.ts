import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns, type Turns } from '../../fairness/turns.ts';

export interface CountedTurns {
  readonly turns: Turns;
  /** Steps that were spent in each turn so far. */
  readonly perTurn: readonly number[];
  /** Begins the next turn. */
  readonly move: () => Promise<void>;
}

/** Turns that are moved by hand, with the steps that were spent in each. */
export function countedTurns(): CountedTurns {
  const perTurn = [0];
  let begin: (() => void) | undefined;
  const inner = createTurns((next) => (begin = next));
  const turns: Turns = {
    room: (holder) => inner.room(holder),
    spent(steps) {
      perTurn.push((perTurn.pop() ?? 0) + steps);
      inner.spent(steps);
    },
  };
  const move = async (): Promise<void> => {
    const next = begin;
    begin = undefined;
    perTurn.push(0);
    next?.();
    // What goes on by promises alone does so before this is over.
    await nextTurn();
  };
  return { turns, perTurn, move };
}
