import { describe, expect, test } from 'vitest';
import { findPostgres } from '../../server/tests/support/postgres-server.ts';
import { CRASH_ENGINES } from './crash-places.ts';
import { crashRun } from './crash-run.ts';
import { faultsOf } from './findings.ts';
import type { Kill } from './kills.ts';

const engine = CRASH_ENGINES.postgres;

function at(point: (typeof engine.choice.points)[number], pass = 1): Kill {
  return { crash: { point, pass } };
}

// Where no server can be had, the set-up of the tests has said so.
describe.skipIf(findPostgres() === undefined)('a router on PostgreSQL', () => {
  test('NODE-1, D-32: killed around what it asks of the database, it loses nothing, and repeats only what was in flight', async () => {
    // Each costs the rest of a lease; `npm run test:crash -- --over postgres` goes on.
    const kills = [
      at('reap:after-commit'),
      at('accept:before-commit', 4),
      at('accept:after-commit', 7),
      at('send:after-answer', 5),
      at('record:before-commit', 3),
    ];
    const report = await crashRun({ kills, engine });
    expect(faultsOf(report)).toEqual([]);
    expect(report).toMatchObject({ kills: kills.length, lost: 0, unstored: 0, beyondBound: 0, stuck: 0, damaged: 0 });
    expect(report.acknowledged).toBeGreaterThan(kills.length);
  });

  test('NODE-1: a router that answers before it stores is found', { tags: ['long'] }, async () => {
    const kills = [at('accept:before-commit', 3), at('accept:before-commit', 3)];
    const report = await crashRun({ kills, engine, defect: 'hasty', stillLooks: 60 });
    expect(report.unstored).toBeGreaterThan(0);
    expect(report.lost).toBeGreaterThan(0);
  });

  test('D-32: a router that repeats what was not in flight is found', { tags: ['long'] }, async () => {
    const report = await crashRun({ kills: [at('record:after-commit', 3)], engine, defect: 'stuttering' });
    expect(report.beyondBound).toBeGreaterThan(0);
    expect(report).toMatchObject({ lost: 0, unstored: 0 });
  });
});
