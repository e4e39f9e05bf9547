import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepare } from '../../storage/file/deliveries/schema.ts';
import { createSeen } from '../../storage/file/deliveries/seen.ts';

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
