import { describe, expect, test } from 'vitest';
import { type Fingerprint, fingerprintOf, fromBytes, toBytes } from '../../storage/fingerprint.ts';
import { RememberedIds } from '../../storage/postgres/deliveries/remembered-ids.ts';

const NOW = Date.UTC(2026, 0, 1);

function fingerprints(from: number, count: number): Fingerprint[] {
  return Array.from({ length: count }, (_, index) => fingerprintOf(1, `id-${from + index}`));
}

function remembering(known: readonly Fingerprint[]): RememberedIds {
  const ids = new RememberedIds();
  for (const fingerprint of known) ids.add(fingerprint, NOW);
  return ids;
}

describe('D-43: remembered ids', () => {
  test('every id of a hundred thousand is known, and no other', () => {
    const ids = remembering(fingerprints(0, 100_000));
    expect(fingerprints(0, 100_000).every((fingerprint) => ids.has(fingerprint))).toBe(true);
    expect(fingerprints(100_000, 100_000).some((fingerprint) => ids.has(fingerprint))).toBe(false);
  });

  test('an id of one source is new to another', () => {
    const ids = remembering([fingerprintOf(1, 'same')]);
    expect([ids.has(fingerprintOf(1, 'same')), ids.has(fingerprintOf(2, 'same'))]).toEqual([true, false]);
    expect(ids.has(fingerprintOf(11, ' same'))).toBe(false);
  });

  test('ids that differ in one part of their fingerprint are told apart', () => {
    const fingerprint = { home: 7, first: 8, second: 10 };
    const ids = remembering([fingerprint]);
    expect(ids.has({ ...fingerprint, first: 9 })).toBe(false);
    expect(ids.has({ ...fingerprint, second: 12 })).toBe(false);
    expect(ids.has({ ...fingerprint, home: 6 })).toBe(false);
  });

  test('ids with one home stand beside each other, over the end too', () => {
    const known = Array.from({ length: 100 }, (_, first) => ({ home: 4_095, first, second: 1 }));
    const ids = remembering(known);
    expect(known.every((fingerprint) => ids.has(fingerprint))).toBe(true);
    expect(ids.has({ home: 4_095, first: 100, second: 1 })).toBe(false);
  });

  test('one that is removed is new again, and hides none behind it', () => {
    const known = Array.from({ length: 3 }, (_, first) => ({ home: 9, first, second: 1 }));
    const ids = remembering(known);
    ids.remove({ home: 9, first: 1, second: 1 });
    expect(known.map((fingerprint) => ids.has(fingerprint))).toEqual([true, false, true]);
  });

  test('a table is forgotten once all of it is too old', () => {
    const ids = remembering(fingerprints(0, 3_277));
    for (const fingerprint of fingerprints(3_277, 10)) ids.add(fingerprint, NOW + 10);
    ids.forgetBefore(NOW + 1);
    expect(fingerprints(0, 3_277).some((fingerprint) => ids.has(fingerprint))).toBe(false);
    expect(fingerprints(3_277, 10).every((fingerprint) => ids.has(fingerprint))).toBe(true);
    ids.forgetBefore(NOW + 11);
    expect([ids.bytes, fingerprints(3_277, 10).some((fingerprint) => ids.has(fingerprint))]).toEqual([0, false]);
  });

  test('a hundred thousand ids take less than three megabytes', () => {
    expect(remembering(fingerprints(0, 100_000)).bytes).toBeLessThan(3_000_000);
  });
});

test('fingerprints are the same after being written and read', () => {
  const known = fingerprints(0, 50);
  expect([...fromBytes(toBytes(known))]).toEqual(known);
});
