import { expect, test } from 'vitest';
import { LatestKeys } from '../../storage/latest-keys.ts';

const ENOUGH = 10;

/** Of keys that were set one after the other, those that are known then: to ask is to use. */
function knownOf(count: number): readonly number[] {
  const keys = new LatestKeys<number>(ENOUGH);
  for (let key = 0; key < count; key += 1) keys.set(`key ${key}`, key);
  // The last first: what is asked for earlier may take its place from what is not.
  return Array.from({ length: count }, (_, at) => keys.get(`key ${count - 1 - at}`))
    .filter((value) => value !== undefined)
    .toReversed();
}

test('of the last keys enough are known, and twice as many at most', () => {
  for (let count = 1; count < 10 * ENOUGH; count += 1) {
    const known = knownOf(count);
    expect(known.length).toBeGreaterThanOrEqual(Math.min(count, ENOUGH));
    expect(known.length).toBeLessThanOrEqual(2 * ENOUGH);
    expect(known).toEqual(Array.from(known, (_, index) => count - known.length + index));
  }
});

test('a key that is asked for again and again stays known, however many others are set', () => {
  const keys = new LatestKeys<string>(ENOUGH);
  keys.set('used', 'used');
  for (let key = 0; key < 10 * ENOUGH; key += 1) {
    keys.set(`key ${key}`, '');
    expect(keys.get('used')).toBe('used');
  }
});

test('a key that was deleted is not known, however long ago it was set', () => {
  const keys = new LatestKeys<number>(ENOUGH);
  for (let key = 0; key <= ENOUGH; key += 1) keys.set(`key ${key}`, key);
  for (const key of ['key 0', `key ${ENOUGH}`]) {
    keys.delete(key);
    expect(keys.get(key)).toBeUndefined();
  }
});
