import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { deliveryId, type RoundRecord } from '../../model/delivery.ts';
import { flatAccept } from '../../storage/file/deliveries/flat-rows.ts';
import type { Call } from '../../storage/file/deliveries/calls.ts';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { createNames } from '../../storage/file/deliveries/names.ts';
import { record } from '../../storage/file/deliveries/record.ts';
import { roundsText } from '../../storage/file/deliveries/rounds-text.ts';
import { Refusals } from '../../storage/file/deliveries/refusals.ts';
import { DiskRoom } from '../../storage/file/disk-room.ts';
import { createOperations } from '../../storage/file/deliveries/operations.ts';
import { SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { run } from '../../storage/file/deliveries/serve.ts';
import { StoredBytes } from '../../storage/file/deliveries/stored-bytes.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { messageOf } from '../support/engine.ts';
import { batchOf } from '../support/memory-storage.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1, 12);
const [LARGE, SMALL] = ['workspaces/large', 'workspaces/small'];
const EVENT = { characters: 600, deliveries: 1 };

/** What is counted of a database, by a clock that the test moves. */
function counting(database: DatabaseSync) {
  let now = 0;
  const names = createNames(database);
  const bytes = new StoredBytes(database, names, () => now);
  return {
    names,
    bytes,
    commit: (afterMs = 0): void => {
      now += afterMs;
      bytes.committing();
      bytes.committed();
    },
  };
}

test('what workspaces have stored is counted with the commit, and known to the next life up to the last ten seconds', () => {
  using database = openDatabase(':memory:');
  const { bytes, commit } = counting(database);
  for (const source of ['a', 'b']) bytes.addEvents(`${LARGE}/sources/${source}`, NOW, EVENT);
  bytes.addAttempt(`${SMALL}/sources/a/destinations/webhooks`, NOW - HOUR, 'no');
  expect(bytes.of(LARGE)).toBe(0);
  commit();
  expect([bytes.of(`${LARGE}/sources/c`), bytes.of(SMALL)]).toEqual([2_000, 202]);
  commit(9_999);
  expect(counting(database).bytes.of(LARGE)).toBe(0);
  commit(1);
  bytes.addEvents(`${LARGE}/sources/a`, NOW, EVENT);
  commit(10_000);
  commit(10_000);
  commit(10_000);
  const next = counting(database).bytes;
  expect([next.of(LARGE), next.of(SMALL)]).toEqual([3_000, 202]);
});

test('what was rolled back is not counted, and what was to be written down with it is written with the next commit', () => {
  using database = openDatabase(':memory:');
  const { names, bytes, commit } = counting(database);
  bytes.addEvents(LARGE, NOW, EVENT);
  commit(10_000);
  bytes.addEvents(LARGE, NOW, EVENT);
  database.exec('BEGIN');
  bytes.committing();
  database.exec('ROLLBACK');
  bytes.rolledBack();
  names.forget();
  expect(bytes.of(LARGE)).toBe(1_000);
  commit();
  expect(counting(database).bytes.of(LARGE)).toBe(1_000);
});

test('it is forgotten with the rows of its hour', () => {
  using database = openDatabase(':memory:');
  const { bytes, commit } = counting(database);
  for (const at of [NOW - HOUR, NOW]) bytes.addEvents(LARGE, at, EVENT);
  commit();
  bytes.forget(NOW);
  expect(bytes.of(LARGE)).toBe(1_000);
});

/** One that is not being tried: its attempt is kept. */
const ROUND: RoundRecord = {
  delivery: deliveryId('1'),
  node: 'local',
  epoch: 1,
  round: 1,
  destination: `${LARGE}/sources/js/destinations/webhooks`,
  attempts: [
    {
      webhook: 'https://a.test/',
      number: 0,
      startedAt: NOW,
      durationMs: 1,
      outcome: 'http_5xx',
      excerpt: 'x'.repeat(800),
      rule: 'none',
    },
  ],
  verdict: { state: 'failed' },
  endedAt: NOW,
  ageMs: 0,
};

function accept(workspace: string): Call {
  const [source, destination] = [`${workspace}/sources/js`, `${workspace}/sources/js/destinations/webhooks`];
  const message = { ...messageOf({ now: () => NOW }), source };
  return {
    name: 'accept',
    argument: flatAccept(batchOf([{ message, routes: [{ destination, claimed: false }] }])).accept,
  };
}

test('SAFE-2: of a disk that is nearly full, a workspace that has nearly all of it gets no more, and others do', () => {
  using database = openDatabase(':memory:');
  let left = 0;
  const disk = () => ({ bavail: (100_000_000 + left) / 4_096, blocks: 1e9, bsize: 4_096 });
  const stored = new Map([
    [LARGE, 150_000_000],
    [SMALL, 1_000],
  ]);
  const refused = (call: Call): string | undefined =>
    new Refusals(new DiskRoom('/folder', database, disk), {
      of: (name) => stored.get(name.split('/').slice(0, 2).join('/')) ?? 0,
    }).of(call)?.message;
  left = 10_000_000;
  expect(refused(accept(LARGE))).toBeUndefined();
  left -= 4_096;
  expect(refused(accept(LARGE))).toMatch(
    /^workspaces\/large has 150\.0 MB of the disk, and the 10\.0 MB that are left for events are for others: give it a quota/,
  );
  const told = { name: 'tell', argument: { computation: `${LARGE}/audiences/vips` } };
  const replayed = { name: 'createReplay', argument: { destination: `${LARGE}/sources/js/destinations/webhooks` } };
  const recorded = { name: 'record', argument: [] };
  expect([refused(told), refused(replayed), refused(recorded), refused(accept(SMALL))]).toEqual([
    expect.stringContaining('are for others'),
    expect.stringContaining('are for others'),
    undefined,
    undefined,
  ]);
  // Of a large disk a gigabyte is left, and not a sixteenth.
  stored.set(LARGE, 1e12);
  left = 1_000_003_584;
  expect(refused(accept(LARGE))).toBeUndefined();
});

const SYNC = { computation: `${SMALL}/audiences/vips`, now: NOW };
const TOLD = `${SMALL}/sources/js/destinations/webhooks`;

test('SAFE-2: what is accepted, what receivers answer and what audiences tell is counted of its workspace', () => {
  using database = openDatabase(':memory:');
  const { bytes, ...operated } = createOperations(database, freeSpaceOf(database));
  const engine = { database, space: freeSpaceOf(database), format: SCHEMA_VERSION, ...operated };
  const results = (...calls: Call[]): unknown => {
    const result = run(engine, calls);
    return 'results' in result ? result.results : result;
  };
  expect(results({ name: 'join', argument: { now: NOW } }, accept(LARGE))).toMatchObject([{}, { deliveries: [[1]] }]);
  const ofEvent = bytes.of(LARGE);
  expect(ofEvent).toBeGreaterThan(500);
  // Known already: nothing of it is stored again.
  expect(results(accept(LARGE))).toMatchObject([{ deliveries: [null] }]);
  expect(bytes.of(LARGE)).toBe(ofEvent);
  expect(results({ name: 'record', argument: roundsText([ROUND]) })).toMatchObject([{ refused: [0] }]);
  expect(bytes.of(LARGE)).toBe(ofEvent + 1_000);
  results({ name: 'startSync', argument: SYNC });
  const tellings = [
    { user: 'u1', value: 'true', message: { ...messageOf({ now: () => NOW }), source: `${SMALL}/sources/js` } },
  ];
  const tell = { ...SYNC, sync: 1, destination: TOLD, erasures: 0, tellings, forgotten: [], silenced: [], cursor: {} };
  expect(results({ name: 'tell', argument: tell })).toMatchObject([{ heldBack: [] }]);
  expect(bytes.of(SMALL)).toBeGreaterThan(500);
  results({ name: 'purge', argument: { endedBefore: NOW + HOUR, seenBefore: 0, usedBefore: 0, limit: 10 } });
  expect([bytes.of(LARGE), bytes.of(SMALL)]).toEqual([0, 0]);
});

test('HOOK-18: in room that events leave, attempts are kept without what receivers answered', () => {
  using database = openDatabase(':memory:');
  const { names, bytes } = counting(database);
  let free = 1_000;
  const room = { recent: () => ({ free, kept: 1_000 }) };
  const keep = record({ database, names, bytes, room, life: { epoch: 1, has: () => true } });
  database.exec(
    `INSERT INTO deliveries VALUES (1, 1, 1, 'trying', 1, 1, 0, 0, '[]', 0, 0, 0, 0, 'track', 'E', 'u', NULL)`,
  );
  keep(roundsText([ROUND]));
  free = 999;
  keep(roundsText([{ ...ROUND, round: 2 }]));
  const kept = database.prepare('SELECT round, outcome, length(excerpt) AS excerpt FROM attempts ORDER BY round').all();
  expect(kept).toEqual([
    { round: 1, outcome: 'http_5xx', excerpt: 800 },
    { round: 2, outcome: 'http_5xx', excerpt: 0 },
  ]);
});
