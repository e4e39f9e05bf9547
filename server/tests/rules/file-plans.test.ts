import type { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { createOperations } from '../../storage/file/deliveries/operations.ts';
import { query } from '../../storage/file/deliveries/query.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';

/** What a statement may go through from end to end, and why it stays short, or is seldom. */
const GONE_THROUGH: Readonly<Record<string, string>> = {
  'deliveries USING COVERING INDEX deliveries_trying': 'what is being sent',
  'deliveries USING INDEX deliveries_oldest': 'what waits, once the clock went back',
  'deliveries USING INDEX deliveries_trying': 'what is being sent, at a start',
  erasures: 'has one row',
  names: 'one for each resource, when users are erased and at a start',
  'j USING INDEX replay_jobs_running': 'those that run',
  seen: 'thousands of ids a row',
  sqlite_sequence: 'has one row',
  'syncs USING INDEX syncs_running': 'those that run',
};
/** What the statement itself made before. */
const OF_ITS_OWN =
  /^(?:CONSTANT ROW|\(subquery-\d+\)|\w+ VIRTUAL TABLE INDEX 1:|queues|oldest|of_one|one_of_sync|open|hours|w|examined|some_lines|first|chosen|own|places)$/;

test('AUD-4, SAFE-2: no statement of the delivery store goes through what grows with events or users', () => {
  const found = new Set(statements().flatMap(goneThrough));
  expect([...found].filter((one) => GONE_THROUGH[one] === undefined)).toEqual([]);
  expect(Object.keys(GONE_THROUGH).filter((one) => !found.has(one))).toEqual([]);
});

test.each([
  ['SELECT DISTINCT computation, sync FROM tellings', ['tellings USING COVERING INDEX tellings_of_sync']],
  ['SELECT computation, max(number) FROM syncs GROUP BY computation', ['syncs']],
  ['SELECT id FROM deliveries WHERE message = 7', ['deliveries']],
])('a statement that goes through a table is found: %s', (sql, expected) => {
  expect(goneThrough({ database: openDatabase(':memory:'), sql })).toEqual(expected);
});

test('SAFE-2: what one workspace caught is read and cleared by an index of its sources', () => {
  const ofOne = statements().filter(({ sql }) => sql.includes('inbox') && sql.includes('/sources/'));
  const steps = ofOne.map((prepared) => stepsOf(prepared).filter((step) => step.includes('inbox')));
  const search = 'SEARCH inbox USING COVERING INDEX inbox_of_source (source=? AND id>? AND id<?)';
  const one = 'SEARCH inbox USING INTEGER PRIMARY KEY (rowid=?)';
  expect(steps).toEqual([
    [search, search],
    [one, search.replace('inbox', 'i')],
  ]);
});

interface Prepared {
  readonly database: DatabaseSync;
  readonly sql: string;
}

/** All that the operations of a store prepare. */
function statements(): readonly Prepared[] {
  const database = openDatabase(':memory:');
  const prepare = vi.spyOn(database, 'prepare');
  createOperations(database, freeSpaceOf(database));
  const texts = new Set(prepare.mock.calls.map(([sql]) => sql));
  prepare.mockRestore();
  return [...texts].map((sql) => ({ database, sql }));
}

function stepsOf({ database, sql }: Prepared): string[] {
  return query<{ readonly detail: string }>(database, `EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => detail);
}

/** Tables, with the indexes by which they are read, of which a statement looks at every row. */
function goneThrough(prepared: Prepared): string[] {
  const scans = stepsOf(prepared).flatMap((step) => /^SCAN (?<what>.*)$/.exec(step)?.groups?.['what'] ?? []);
  return scans.filter((what) => !OF_ITS_OWN.test(what));
}
