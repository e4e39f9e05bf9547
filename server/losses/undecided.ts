import { createBounded } from './memory/bounded.ts';
import { bytesOfTexts, ITEM_BYTES } from './memory/last-items.ts';
import type { Undecided, UndecidedCount } from './undecided-port.ts';

/** What the counts of all definitions take together at most. */
const BYTES = 4_000_000;

/** In memory, as dropped events are: it tells what to mend now, and is gone with the process. */
export function createUndecided(): Undecided {
  const counts = createBounded<UndecidedCount>(BYTES);
  return {
    add(_kind, name, receivedAt) {
      const { count = 0 } = counts.get(name) ?? {};
      counts.put(name, { count: count + 1, lastTime: receivedAt }, ITEM_BYTES + bytesOfTexts([name, receivedAt]));
    },
    of: (name) => counts.get(name),
  };
}
