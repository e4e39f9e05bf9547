import type { Clock } from './ports/clock.ts';

/**
 * A reading by its key, shared by all who ask within `freshMs` of whoever began it: what takes the storage time costs as much
 * for many people who look as for one. What failed is read again by who asks next.
 */
export function sharedReadings<Value>(
  clock: Pick<Clock, 'steady'>,
  freshMs: number,
): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const known = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();
  return async (key, read) => {
    const at = clock.steady();
    for (const [old, reading] of known) if (at - reading.at >= freshMs) known.delete(old);
    const reading = known.get(key) ?? { at, value: read() };
    known.set(key, reading);
    try {
      return await reading.value;
    } catch (error) {
      if (known.get(key) === reading) known.delete(key);
      throw error;
    }
  };
}
