import { describe, expect, test } from 'vitest';
import { type Fingerprint, fingerprintOf, toBytes } from '../../storage/fingerprint.ts';
import { DedupIndex, type Holds } from '../../storage/file/deliveries/dedup-index.ts';

const NOW = Date.UTC(2026, 0, 1);
const BLOCK = 337;

function fingerprints(from: number, count: number): Fingerprint[] {
  return Array.from({ length: count }, (_, index) => fingerprintOf(1, `id-${from + index}`));
}

/** The blocks beside the index, and how often they are asked. */
class Blocks {
  readonly #known = new Map<number, Set<string>>();
  asked = 0;

  add(fingerprint: Fingerprint, block: number): void {
    const known = this.#known.get(block) ?? new Set();
    this.#known.set(block, known.add(JSON.stringify(fingerprint)));
  }

  readonly holds: Holds = (block, fingerprint) => {
    this.asked += 1;
    return this.#known.get(block)?.has(JSON.stringify(fingerprint)) ?? false;
  };
}

function indexOf(known: readonly Fingerprint[], at = NOW): { index: DedupIndex; blocks: Blocks } {
  const [index, blocks] = [new DedupIndex(), new Blocks()];
  for (const [number, fingerprint] of known.entries()) {
    const block = Math.floor(number / BLOCK);
    index.add(fingerprint, block, at);
    blocks.add(fingerprint, block);
  }
  index.committed(Math.floor(known.length / BLOCK));
  return { index, blocks };
}

describe('D-43: the index of known ids', () => {
  test('every id of a hundred thousand is known, and no other', () => {
    const { index, blocks } = indexOf(fingerprints(0, 100_000));
    expect(fingerprints(0, 100_000).every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
    expect(fingerprints(100_000, 100_000).some((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(false);
  });

  test('of a hundred thousand new ids, hardly one costs a look into a block', () => {
    const { index, blocks } = indexOf(fingerprints(0, 100_000));
    for (const fingerprint of fingerprints(100_000, 100_000)) index.has(fingerprint, blocks.holds);
    expect(blocks.asked).toBeLessThan(50);
  });

  test('what is loaded is known as what was added is', () => {
    const [index, blocks] = [new DedupIndex(), new Blocks()];
    const rows = Array.from({ length: 60 }, (_, row) => fingerprints(1_000 * row, row % 3 === 0 ? 1_000 : row));
    for (const [block, row] of rows.entries()) {
      index.load(toBytes(row), block, NOW);
      for (const fingerprint of row) blocks.add(fingerprint, block);
    }
    expect(rows.flat().every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
    expect(fingerprints(100_000, 20_000).some((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(false);
  });

  test('ids with one home and one tag are told apart, over the end too', () => {
    const known = Array.from({ length: 100 }, (_, second) => ({ home: 4_095, first: 8, second }));
    const { index, blocks } = indexOf(known);
    expect(known.every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
    expect(index.has({ home: 4_095, first: 8, second: 100 }, blocks.holds)).toBe(false);
  });

  test('what is rolled back takes no place, and hides nothing', () => {
    const { index, blocks } = indexOf(fingerprints(0, 3_000));
    const before = index.bytes;
    for (let time = 0; time < 100; time += 1) {
      for (const fingerprint of fingerprints(3_000, 200)) index.add(fingerprint, 9, NOW);
      index.rolledBack();
    }
    expect(index.bytes).toBe(before);
    expect(fingerprints(0, 3_000).every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
    expect(fingerprints(3_000, 200).some((fingerprint) => index.has(fingerprint, (block) => block === 9))).toBe(false);
  });

  test('a segment that a rolled back transaction began takes blocks of before', () => {
    const { index, blocks } = indexOf(fingerprints(0, 3_276));
    for (const fingerprint of fingerprints(3_276, 1_000)) index.add(fingerprint, 12, NOW);
    index.rolledBack();
    const known = fingerprints(5_000, 1_000);
    for (const fingerprint of known) {
      index.add(fingerprint, 9, NOW);
      blocks.add(fingerprint, 9);
    }
    expect(known.every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
  });

  test('a block whose number does not fit into a segment begins another one', () => {
    const { index, blocks } = indexOf(fingerprints(0, 1));
    const [late] = fingerprints(1, 1);
    if (late === undefined) throw new Error('there is one');
    index.committed(20_000);
    index.add(late, 20_000, NOW);
    blocks.add(late, 20_000);
    expect(index.has(late, blocks.holds)).toBe(true);
  });

  test('a segment is forgotten once all of it is too old', () => {
    const { index, blocks } = indexOf(fingerprints(0, 3_277));
    for (const fingerprint of fingerprints(3_277, 10)) {
      index.add(fingerprint, 10, NOW + 10);
      blocks.add(fingerprint, 10);
    }
    index.forgetBefore(NOW + 1);
    expect(fingerprints(0, 3_277).some((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(false);
    expect(fingerprints(3_277, 10).every((fingerprint) => index.has(fingerprint, blocks.holds))).toBe(true);
    index.forgetBefore(NOW + 11);
    expect([index.bytes, fingerprints(3_277, 10).some((one) => index.has(one, blocks.holds))]).toEqual([0, false]);
  });

  test('a hundred thousand ids take less than a megabyte and a half', () => {
    expect(indexOf(fingerprints(0, 100_000)).index.bytes).toBeLessThan(1_500_000);
  });
});
