import { restAfter } from './fairness/resting-queues.ts';
import type { Clock } from './ports/clock.ts';

/** However long it took, it is read again after a minute. */
const MOST_FRESH_MS = 60_000;

interface Reading<Value> {
  readonly value: Promise<Value>;
  /** In steady time; undefined while it is under way. */
  freshUntil: number | undefined;
}

/**
 * A reading by its key, shared by all who ask while it is under way, and within `freshMs` of its begin: what takes the storage time costs
 * as much for many people who look as for one. After one that took long, most of the time is left to others. What failed is read again by
 * who asks next.
 */
export function sharedReadings<Value>(
  clock: Pick<Clock, 'steady'>,
  freshMs: number,
): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const known = new Map<string, Reading<Value>>();
  const begin = (key: string, read: () => Promise<Value>): Reading<Value> => {
    const begun = clock.steady();
    const reading: Reading<Value> = { value: read(), freshUntil: undefined };
    known.set(key, reading);
    reading.value.then(
      () => {
        const ended = clock.steady();
        reading.freshUntil = Math.max(begun + freshMs, ended + restAfter(ended - begun, MOST_FRESH_MS));
      },
      () => known.delete(key),
    );
    return reading;
  };
  return (key, read) => {
    const now = clock.steady();
    for (const [old, { freshUntil = Infinity }] of known) if (now >= freshUntil) known.delete(old);
    return (known.get(key) ?? begin(key, read)).value;
  };
}
