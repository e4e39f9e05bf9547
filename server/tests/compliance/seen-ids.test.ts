import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepare } from '../../storage/file/deliveries/schema.ts';
import { createSeen, type Seen } from '../../storage/file/deliveries/seen.ts';
import { fingerprintOf, toBytes } from '../../storage/fingerprint.ts';

const BLOCK = 337;
const NOW = Date.UTC(2026, 0, 1);
let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  prepare(database);
});
afterEach(() => database.close());

test('D-43: an id is new once within a transaction', () => {
  const seen = createSeen(database);
  expect([seen.take(1, 'm1', NOW), seen.take(1, 'm1', NOW), seen.take(2, 'm1', NOW)]).toEqual([true, false, true]);
});

test('D-43: ids of a commit are known when the file is opened again', () => {
  const seen = createSeen(database);
  for (const id of ['m1', 'm2']) seen.take(1, id, NOW);
  seen.committing();
  seen.committed();
  const again = createSeen(database);
  expect([again.take(1, 'm1', NOW), again.take(1, 'm2', NOW), again.take(1, 'm3', NOW)]).toEqual([false, false, true]);
});

test('ING-10: ids of what was rolled back are new again', () => {
  const seen = createSeen(database);
  seen.take(1, 'before', NOW);
  seen.committing();
  seen.committed();
  seen.take(1, 'm1', NOW);
  seen.rolledBack();
  expect([seen.take(1, 'before', NOW), seen.take(1, 'm1', NOW)]).toEqual([false, true]);
  seen.committing();
  seen.committed();
  expect(createSeen(database).take(1, 'm1', NOW)).toBe(false);
});

test('D-43: swept ids are new again, younger ones are not', () => {
  const seen = createSeen(database);
  for (const [id, at] of [['old', NOW] as const, ['young', NOW + 10] as const]) {
    seen.take(1, id, at);
    seen.committing();
    seen.committed();
  }
  expect(seen.sweep(NOW + 1, 10)).toEqual({ ids: 1, isMore: false });
  expect(seen.sweep(NOW + 1, 10)).toEqual({ ids: 0, isMore: false });
  const again = createSeen(database);
  expect([again.take(1, 'old', NOW), again.take(1, 'young', NOW)]).toEqual([true, false]);
});

function commit(seen: Seen, ids: readonly string[], at = NOW): boolean[] {
  const taken = ids.map((id) => seen.take(1, id, at));
  seen.committing();
  seen.committed();
  return taken;
}

function named(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `id-${from + index}`);
}

/** How many fingerprints each row has. */
function rows(): number[] {
  return database
    .prepare('SELECT length(ids) / 12 AS count FROM seen ORDER BY id')
    .all()
    .map(({ count }) => Number(count));
}

test('as many commits as fill a block leave one row', () => {
  const seen = createSeen(database);
  for (const id of named(0, BLOCK - 1)) commit(seen, [id]);
  expect(rows()).toEqual(Array(BLOCK - 1).fill(1));
  commit(seen, ['last']);
  expect(rows()).toEqual([BLOCK]);
  commit(seen, ['next']);
  expect(rows()).toEqual([BLOCK, 1]);
  const all = [...named(0, BLOCK - 1), 'last', 'next'];
  for (const one of [seen, createSeen(database)]) expect(all.filter((id) => one.take(1, id, NOW))).toEqual([]);
});

test('a commit of many leaves blocks, and a block fills a page', () => {
  const seen = createSeen(database);
  commit(seen, named(0, 100));
  const before = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
  commit(seen, named(100, 50 * BLOCK));
  expect(rows()).toEqual([...Array(50).fill(BLOCK), 100]);
  expect(Number(database.prepare('PRAGMA page_count').get()?.['page_count']) - before).toBeLessThan(54);
});

test('D-43: ids of long ago are found where they stand', () => {
  const seen = createSeen(database);
  for (let from = 0; from < 100 * BLOCK; from += 1_000) commit(seen, named(from, 1_000));
  for (const one of [seen, createSeen(database)]) {
    expect(named(0, 100 * BLOCK).filter((id) => one.take(1, id, NOW))).toEqual([]);
    expect(named(200 * BLOCK, 10).every((id) => one.take(1, id, NOW))).toBe(true);
  }
});

test('D-43: rows of earlier routers are known, however long they are', () => {
  const write = database.prepare('INSERT INTO seen (seen_at, ids) VALUES (?, ?)');
  const rowsOf = [
    [...named(0, 5_000)],
    ...named(5_000, 1_000).map((id) => [id]),
    [],
    named(6_000, 336),
    named(7_000, 50),
  ];
  for (const ids of rowsOf) write.run(NOW, toBytes(ids.map((id) => fingerprintOf(1, id))));
  const seen = createSeen(database);
  expect(rowsOf.flat().filter((id) => seen.take(1, id, NOW))).toEqual([]);
  expect(commit(seen, named(10_000, 1_000)).every(Boolean)).toBe(true);
  for (const one of [seen, createSeen(database)])
    expect([...rowsOf.flat(), ...named(10_000, 1_000)].filter((id) => one.take(1, id, NOW))).toEqual([]);
});

test('D-43: what is left of an open block when its first rows are swept is known', () => {
  const seen = createSeen(database);
  commit(seen, ['old'], NOW);
  commit(seen, ['young'], NOW + 10);
  expect(seen.sweep(NOW + 1, 10)).toEqual({ ids: 1, isMore: false });
  commit(seen, named(0, BLOCK), NOW + 20);
  expect(rows()).toEqual([BLOCK - 1, 2]);
  const again = createSeen(database);
  expect(['old', 'young', ...named(0, BLOCK)].filter((id) => again.take(1, id, NOW + 20))).toEqual(['old']);
});

test('ING-10: a block that a rolled back transaction filled is filled by the next', () => {
  const seen = createSeen(database);
  commit(seen, named(0, 300));
  database.exec('BEGIN');
  for (const id of named(1_000, 100)) seen.take(1, id, NOW);
  seen.committing();
  database.exec('ROLLBACK');
  seen.rolledBack();
  expect(rows()).toEqual([300]);
  expect(commit(seen, named(1_000, 100)).every(Boolean)).toBe(true);
  expect(rows()).toEqual([BLOCK, 400 - BLOCK]);
  const all = [...named(0, 300), ...named(1_000, 100)];
  for (const one of [seen, createSeen(database)]) expect(all.filter((id) => one.take(1, id, NOW))).toEqual([]);
});
