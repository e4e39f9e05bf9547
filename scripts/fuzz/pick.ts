import type { Random } from '../../server/ports/random.ts';

/** A uniform whole number from `low` to `high`, both included. */
export function whole(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** One of them; throws when there is none. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  const at = whole(random, 0, choices.length - 1);
  for (const choice of choices.slice(at, at + 1)) return choice;
  throw new Error('there is nothing to pick from');
}
