import { batchOf } from '../support/memory-storage.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { flatAccept } from '../../storage/file/deliveries/flat-rows.ts';
import type { Call, GroupResult, Opened } from '../../storage/file/deliveries/calls.ts';
import { NoRoomLeft } from '../../storage/file/full-disk.ts';
import { type Engine, openEngine, type Proof, serve, type ToThread } from '../../storage/file/deliveries/serve.ts';
import { type SqliteStorage, sqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { Refusals } from '../../storage/file/deliveries/refusals.ts';
import { DiskRoom, type StatDisk } from '../../storage/file/disk-room.ts';
import { SqliteThread } from '../../storage/file/deliveries/sqlite-thread.ts';
import { requireTakenOver } from '../../storage/file/deliveries/write-ahead-log.ts';
import { newFolder } from '../support/delivery-world.ts';
import { messageOf } from '../support/engine.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';

type Answer = Opened | GroupResult | Proof;

/** The thread's own code on an engine of the test, without a thread. */
function served(spoil: (engine: Engine) => Engine = (engine) => engine) {
  const path = join(newFolder(), 'deliveries.sqlite');
  const engine = spoil(openEngine(path));
  onTestFinished(() => engine.database.close());
  const answers: Answer[] = [];
  /** What has come behind the next message. */
  const behind: ToThread[] = [];
  const listeners: ((message: ToThread) => void)[] = [];
  const port = {
    postMessage: (answer: Answer) => void answers.push(answer),
    take: () => behind.shift(),
    on: (_event: 'message', listener: (message: ToThread) => void) => void listeners.push(listener),
    close: () => undefined,
  };
  serve(port, () => engine);
  const ask = (message: ToThread): Answer | undefined => {
    for (const listener of listeners) listener(message);
    return answers.at(-1);
  };
  return { ask, group: (...calls: Call[]) => ask({ calls }), engine, answers, behind };
}

function accept(messageId: string, bytes = 0): Call {
  const message = messageOf({ now: () => NOW }, { messageId, properties: { padding: 'x'.repeat(bytes) } });
  return {
    name: 'accept',
    argument: flatAccept(batchOf([{ message, routes: [{ destination: A, claimed: false }] }])).accept,
  };
}

/** No workspace has anything. */
const NOBODY = { of: () => 0 };

const BACKLOG: Call = { name: 'countBacklog', argument: { destinations: [A], limit: 9 } };

/** What is answered when one delivery was stored under this id. */
function stored(id: number): object {
  return { deliveries: [[id]], behind: [], epoch: 0 };
}

function queue(count: number): object {
  return { queues: [{ waiting: count }] };
}

function waiting(answer: Answer | undefined): unknown {
  return answer !== undefined && 'results' in answer ? answer.results : answer;
}

test('SQLITE_FULL within a group undoes all of it, and the next one holds', () => {
  const { group, engine } = served();
  group(accept('m1'));
  engine.database.exec('PRAGMA max_page_count = 1');
  const error = expect.stringMatching(/^the disk is full \(database or disk is full\): /);
  expect(group(accept('m2'), accept('m3', 900_000))).toEqual({ error, calls: 2 });
  expect(engine.database.isTransaction).toBe(false);
  expect(waiting(group(BACKLOG))).toMatchObject([queue(1)]);
  engine.database.exec('PRAGMA max_page_count = 1000000');
  expect(waiting(group(accept('m2'), accept('m3', 900_000)))).toEqual([stored(2), stored(3)]);
  expect(waiting(group(BACKLOG))).toMatchObject([queue(3)]);
});

test('ING-10: what has come by the time of a commit shares the next one, but for what is to run alone', () => {
  let commits = 0;
  const counting = (whole: Engine): Engine =>
    failing(whole, 'COMMIT', () => {
      commits += 1;
      return false;
    });
  const { ask, answers, behind } = served(counting);
  behind.push({ calls: [accept('m2')] }, { calls: [BACKLOG], alone: true }, 'prove', { calls: [accept('m3')] });
  ask({ calls: [accept('m1')] });
  expect(answers.slice(1)).toMatchObject([
    { results: [stored(1), stored(2)] },
    { results: [queue(2)] },
    { proven: true },
    { results: [stored(3)] },
  ]);
  expect(commits).toBe(3);
});

/** A database whose statement `sql` fails as long as `isFailing` says so, before or after it did its work. */
function failing(engine: Engine, sql: string, isFailing: () => boolean): Engine {
  const { database } = engine;
  return {
    ...engine,
    database: {
      exec: (statement) => {
        if (statement === sql && isFailing()) throw new Error(`${sql} failed`);
        return database.exec(statement);
      },
      prepare: (statement) => database.prepare(statement),
      get isTransaction() {
        return database.isTransaction;
      },
      close: () => database.close(),
    },
  };
}

test('what a full disk has no room for is left out of its group, and all else of it is stored', () => {
  const full = 'the disk is full';
  let isFull = true;
  const refusals = {
    met: () => undefined,
    of: ({ name }: Call) => (isFull && name === 'accept' ? new NoRoomLeft(1e6, 2e6) : undefined),
    require: () => undefined,
  };
  const { group } = served((engine) => ({ ...engine, refusals }));
  const counted: Call = { name: 'addCounts', argument: [] };
  expect(waiting(group(accept('m1'), counted, BACKLOG))).toMatchObject([
    { notStored: expect.stringContaining(full) },
    [],
    { queues: [] },
  ]);
  isFull = false;
  expect(waiting(group(accept('m1')))).toEqual([stored(1)]);
});

test('events leave a part of the disk; what is free in the file is room for them', () => {
  const { engine, group } = served();
  let free = 100_000_000;
  const refusalsOf = (disk: StatDisk) => new Refusals(new DiskRoom('/folder', engine.database, disk), NOBODY);
  const refusals = refusalsOf(() => ({ bavail: free / 4_096, blocks: 1e9, bsize: 4_096 }));
  const refusal = () => {
    expect(() => refusals.require()).not.toThrow();
    return refusals.of(accept('m2'));
  };
  expect(refusal()).toBeUndefined();
  group(accept('m1', 3_000_000));
  free -= 2_000_000;
  expect(() => refusals.require()).toThrow('98.0 MB are left, and events leave 100.0 MB for everything else');
  expect(refusals.of(accept('m2'))).toBeInstanceOf(NoRoomLeft);
  expect(['record', 'purge', 'claim'].map((name) => refusals.of({ name, argument: {} }))).toEqual(
    Array(3).fill(undefined),
  );
  engine.database.exec('DELETE FROM messages');
  expect(refusal()).toBeUndefined();
  // Of a small disk it is a share.
  const small = refusalsOf(() => ({ bavail: 1, blocks: 1_000, bsize: 4_096 }));
  expect(() => small.require()).not.toThrow();
  engine.database.exec('PRAGMA incremental_vacuum');
  expect(() => small.require()).toThrow('events leave 0.3 MB');
  const silent = refusalsOf(() => {
    throw new Error('the disk does not tell');
  });
  expect(() => silent.require()).not.toThrow();
});

test('a commit that fails is rolled back, and the next one holds', () => {
  let isFailing = true;
  const { group, engine } = served((whole) => failing(whole, 'COMMIT', () => isFailing));
  expect(group(accept('m1'))).toEqual({ error: 'COMMIT failed', calls: 1 });
  expect(engine.database.isTransaction).toBe(false);
  isFailing = false;
  expect(waiting(group(accept('m1')))).toEqual([stored(1)]);
});

test('HOOK-19: an event for a thousand destinations is one commit, of which a failure in the middle leaves nothing', () => {
  let commits = 0;
  const { group, engine } = served((whole) =>
    failing(whole, 'COMMIT', () => {
      commits += 1;
      return false;
    }),
  );
  const routes = Array.from({ length: 1_000 }, (_, index) => ({ destination: `${A}-${index}`, claimed: index < 8 }));
  const message = messageOf({ now: () => NOW }, { messageId: 'wide' });
  const wide: Call = { name: 'accept', argument: flatAccept(batchOf([{ message, routes }])).accept };
  const counts = () =>
    ['messages', 'deliveries'].map((table) => engine.database.prepare(`SELECT count(*) AS count FROM ${table}`).get());
  engine.database.exec(`CREATE TRIGGER in_the_middle BEFORE INSERT ON deliveries
    WHEN (SELECT count(*) FROM deliveries) >= 500 BEGIN SELECT RAISE(FAIL, 'failed in the middle'); END`);
  expect(group(wide)).toEqual({ error: 'failed in the middle', calls: 1 });
  expect([...counts(), commits]).toEqual([{ count: 0 }, { count: 0 }, 0]);
  engine.database.exec('DROP TRIGGER in_the_middle');
  const ids = routes.map((_, index) => index + 1);
  expect(waiting(group(wide))).toEqual([{ deliveries: [ids], behind: [], epoch: 0 }]);
  expect([...counts(), commits]).toEqual([{ count: 1 }, { count: 1_000 }, 1]);
});

test('a rollback that fails does not end the thread, and is made up for', () => {
  let isFailing = true;
  const both = (whole: Engine): Engine =>
    failing(
      failing(whole, 'COMMIT', () => isFailing),
      'ROLLBACK',
      () => isFailing,
    );
  const { group, ask } = served(both);
  const error = 'COMMIT failed; and could not be rolled back: ROLLBACK failed';
  expect(group(accept('m1'))).toEqual({ error, calls: 1 });
  isFailing = false;
  expect(ask('prove')).toEqual({ proven: true });
  expect(waiting(group(accept('m2'), BACKLOG))).toMatchObject([stored(1), queue(1)]);
});

test('a proof is a write that reaches the file, and finds what stands in its way', () => {
  const { ask, group, engine } = served();
  group(accept('m1'));
  engine.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const before = pagesInLog(engine);
  expect(ask('prove')).toEqual({ proven: true });
  expect(pagesInLog(engine)).toBe(before + 1);
  engine.database.exec('PRAGMA query_only = 1');
  expect(ask('prove')).toEqual({ proven: false, error: 'attempt to write a readonly database' });
});

test('a log that became large and cannot be taken over into its file is told; once it can, its room is given back', () => {
  const { engine, group } = served();
  const { database, path = '' } = engine;
  const logBytes = () => statSync(`${path}-wal`).size;
  database.exec('PRAGMA wal_autocheckpoint = 0');
  for (const id of ['m1', 'm2', 'm3', 'm4']) group(accept(id, 5_000_000));
  expect(logBytes()).toBeGreaterThan(20_000_000);
  const broken = { prepare: () => database.prepare('SELECT no_such_function()') };
  expect(() => requireTakenOver(broken, path)).not.toThrow();
  expect(() => requireTakenOver(broken, path, 20_000_000)).toThrow('no_such_function');
  database.exec('PRAGMA wal_autocheckpoint = 1000');
  requireTakenOver(database, path, 20_000_000);
  group(accept('m5'));
  expect(logBytes()).toBeLessThan(17_000_000);
});

/** How many pages were written since the last checkpoint. */
function pagesInLog({ database }: Engine): number {
  return Number(database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['log']);
}

/** A thread that answers every group that holds a write with a failure; it lists what it was asked. */
function brokenThread(): { store: SqliteStorage; worker: Worker } {
  const code = `
    import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'close') return parentPort.close();
      const names = message.calls.map((call) => call.name);
      if (!message.alone) {
        for (let next; (next = receiveMessageOnPort(parentPort)); ) names.push(...next.message.calls.map((call) => call.name));
      }
      const failure = { error: 'full', calls: names.length };
      parentPort.postMessage(names.includes('accept') ? failure : { results: names.map(() => []) });
    });`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  return { store: sqliteStorage(new SqliteThread(worker)), worker };
}

test('all who shared a commit that failed are told, and those who only read are answered', async () => {
  const { store } = brokenThread();
  onTestFinished(() => store.close());
  const one = (messageId: string) =>
    store.accept(batchOf([{ message: messageOf({ now: () => NOW }, { messageId }), routes: [] }]));
  const asked = [one('m1'), one('m2'), one('m3'), store.backlog({ limit: 1 })];
  const reason = new StoreUnavailable('the delivery store cannot write: full');
  const refused = { status: 'rejected', reason };
  expect(await Promise.allSettled(asked)).toEqual([refused, refused, refused, { status: 'fulfilled', value: [] }]);
  expect(store.failures()).toBe(1);
});

test('a thread that ended refuses calls and proofs alike', async () => {
  const { store, worker } = brokenThread();
  const proof = store.proveWritable();
  expect(store.failures()).toBe(0);
  await worker.terminate();
  await expect(proof).rejects.toThrow('it cannot write: the store is closed');
  await expect(store.backlog({ limit: 1 })).rejects.toThrow('the store is closed');
  await expect(store.proveWritable()).rejects.toThrow(StoreUnavailable);
  expect(store.failures()).toBeGreaterThan(0);
});
