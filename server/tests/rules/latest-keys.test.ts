import { expect, test } from 'vitest';
import { LatestKeys } from '../../storage/latest-keys.ts';

const ENOUGH = 10;

test('of the last keys enough are known, and twice as many at most', () => {
  const keys = new LatestKeys<number>(ENOUGH);
  for (let last = 0; last < 10 * ENOUGH; last += 1) {
    keys.set(`key ${last}`, last);
    const known = Array.from({ length: last + 1 }, (_, key) => keys.get(`key ${key}`)).filter(
      (value) => value !== undefined,
    );
    expect(known.length).toBeGreaterThanOrEqual(Math.min(last + 1, ENOUGH));
    expect(known.length).toBeLessThanOrEqual(2 * ENOUGH);
    expect(known).toEqual(Array.from(known, (_, index) => last + 1 - known.length + index));
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
