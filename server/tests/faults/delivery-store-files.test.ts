import { batchOf } from '../support/memory-storage.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { flatAccept } from '../../storage/file/deliveries/flat-rows.ts';
import { type Engine, openEngine, run } from '../../storage/file/deliveries/serve.ts';
import { newFolder } from '../support/delivery-world.ts';
import { messageOf } from '../support/engine.ts';

const CLOSED = 60;
const IN_LOG = 20;
const A = 'workspaces/main/sources/js/destinations/webhooks';

interface Files {
  readonly main: Buffer;
  /** Empty: there is none. */
  readonly log: Buffer;
}

/** As a router leaves them that was stopped, and as one that was killed. */
let stopped: Files;
let killed: Files;

function acceptanceOf(index: number, properties: { readonly padding?: string } = {}) {
  const message = messageOf({ now: () => index }, { messageId: `m${index}`, properties });
  const { accept: argument } = flatAccept(batchOf([{ message, routes: [{ destination: A, claimed: false }] }]));
  return { name: 'accept', argument } as const;
}

/** Each in a transaction of its own, as the thread makes them. */
function acceptInto({ database, operations, witness }: Engine, from: number, count: number, bytes = 500): void {
  const properties = { padding: 'x'.repeat(bytes) };
  for (let index = from; index < from + count; index += 1) {
    database.exec('BEGIN IMMEDIATE');
    operations.accept(acceptanceOf(index, properties).argument);
    witness.committing();
    database.exec('COMMIT');
    witness.committed();
  }
}

function filesIn(file: string): Files {
  const log = `${file}-wal`;
  return { main: readFileSync(file), log: existsSync(log) ? readFileSync(log) : Buffer.alloc(0) };
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-files-'));
  const file = join(folder, 'deliveries.sqlite');
  const first = openEngine(file);
  acceptInto(first, 0, CLOSED);
  first.database.close();
  stopped = filesIn(file);
  const second = openEngine(file);
  acceptInto(second, CLOSED, IN_LOG);
  killed = filesIn(file);
  second.database.close();
  rmSync(folder, { recursive: true });
});

/** What opening finds: how many deliveries wait, or why it is refused. A refused file must be as it was. */
function openedOn({ main, log }: Files): number | string {
  const file = join(newFolder(), 'deliveries.sqlite');
  writeFileSync(file, main);
  if (log.length > 0) writeFileSync(`${file}-wal`, log);
  try {
    const { database, operations } = openEngine(file);
    const destinations = operations.backlog({ limit: 100 }).queues.map(({ destination }) => destination);
    const { queues } = operations.countBacklog({ destinations, limit: 1_000 });
    const waiting = queues.reduce((sum, one) => sum + one.waiting, 0);
    database.close();
    return waiting;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function changed(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bit;
  return copy;
}

test('a store that was stopped needs no log: everything is in its file', () => {
  expect(stopped.log).toHaveLength(0);
  expect(openedOn(stopped)).toBe(CLOSED);
});

test('a store that was killed is taken up with its log', () => {
  expect(killed.log.length).toBeGreaterThan(0);
  expect(openedOn(killed)).toBe(CLOSED + IN_LOG);
});

test('a file cut off anywhere is refused', () => {
  const thousands = Array.from({ length: Math.floor(stopped.main.length / 1_000) }, (_, index) => 1_000 * (index + 1));
  const end = stopped.main.length;
  for (const length of [...thousands, end - 500, end - 50, end - 1]) {
    const found = openedOn({ ...stopped, main: stopped.main.subarray(0, length) });
    expect(found, `cut to ${length} bytes`).toMatch(/^it is damaged .*restore it from a copy$/s);
  }
});

test('a file whose header has a wrong bit is refused, or opens with everything', () => {
  const found = Array.from({ length: 200 }, (_, index) =>
    openedOn({ ...stopped, main: changed(stopped.main, index >> 1, index % 2 === 0 ? 1 : 128) }),
  );
  const refused = found.filter((one) => typeof one === 'string');
  for (const words of refused) expect(words).toMatch(/damaged|format|file|written/);
  expect(new Set(found.filter((one) => typeof one === 'number'))).toEqual(new Set([CLOSED]));
  expect(refused.length).toBeGreaterThan(80);
});

test('a file with a page overwritten is refused', () => {
  for (let page = 1; page < stopped.main.length / 4_096; page += 1) {
    const main = Buffer.from(stopped.main);
    main.fill(0x5a, page * 4_096, (page + 1) * 4_096);
    expect(openedOn({ ...stopped, main }), `page ${page + 1}`).toMatch(/^it is damaged/);
  }
});

test('a file that is too large to be looked through opens at once, and its damage is found when it is read', () => {
  const file = join(newFolder(), 'deliveries.sqlite');
  writeFileSync(file, Buffer.from(stopped.main).fill(0x5a, stopped.main.length - 8_192));
  truncateSync(file, 512 * 2 ** 20);
  expect(() => openEngine(file)).toThrow(/it is damaged/);
  // Only as many bytes of the disk as are in it.
  truncateSync(file, 512 * 2 ** 20 + 4_096);
  openEngine(file).database.close();
});

test('ING-10: a store that is found to be damaged while it is used takes no more events, and says so', () => {
  const file = join(newFolder(), 'deliveries.sqlite');
  const engine = openEngine(file);
  acceptInto(engine, 0, CLOSED, 4_000);
  engine.database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory');
  writeFileSync(file, readFileSync(file).fill(0x5a, 4_096));
  expect(run(engine, [{ name: 'backlog', argument: { limit: 9 } }])).toMatchObject({
    error: expect.stringContaining('malformed'),
  });
  const notStored =
    'it is damaged (database disk image is malformed), and takes no more events: restore it from a copy';
  expect(run(engine, [acceptanceOf(CLOSED)])).toEqual({ results: [{ notStored }] });
  expect(() => engine.refusals?.require()).toThrow(notStored);
  engine.database.close();
});

test('a log with a wrong bit is refused, with where it can be cut off', () => {
  // Of the last transaction it cannot be known whether anybody was told of it.
  const end = killed.log.length - 40_000;
  for (let at = 0; at < end; at += 9_973) {
    const found = openedOn({ ...killed, log: changed(killed.log, at, 4) });
    expect(found, `byte ${at}`).toMatch(/its log .*-wal is damaged after \d+ bytes, and \d+ or more transactions/);
  }
});

test('a log with a wrong bit in the salt of a frame is refused', () => {
  const at = 32 + 9 * FRAME + 13;
  expect(openedOn({ ...killed, log: changed(killed.log, at, 1) })).toMatch(/damaged after \d+ bytes, and \d+ or more/);
});

test('a log that two crashes tore, one after the other, is repaired each time', () => {
  const file = join(newFolder(), 'deliveries.sqlite');
  const first = openEngine(file);
  acceptInto(first, 0, 5);
  const begin = filesIn(file).log.length;
  acceptInto(first, 5, 1, 200_000);
  // The first crash: a large transaction whose last page came to disk and one before it did not.
  const once = filesIn(file);
  first.database.close();
  writeFileSync(file, once.main);
  writeFileSync(`${file}-wal`, changed(once.log, begin + 2_000, 1));
  const second = openEngine(file);
  acceptInto(second, 5, 3);
  const before = filesIn(file).log;
  acceptInto(second, 8, 1, 40_000);
  const twice = filesIn(file);
  second.database.close();
  // It was written over what the first crash left, which is longer.
  const middle = twice.log.findIndex((byte, at) => byte !== before[at]);
  expect(twice.log).toHaveLength(once.log.length);
  expect(openedOn({ ...twice, log: changed(twice.log, middle + 2_000, 1) })).toBe(8);
});

test('a log that is cut off where the refusal says opens with what is whole', () => {
  const log = changed(killed.log, killed.log.length >> 1, 1);
  const [, bytes] = /damaged after (\d+) bytes/.exec(String(openedOn({ ...killed, log }))) ?? [];
  const found = openedOn({ ...killed, log: log.subarray(0, Number(bytes)) });
  expect(found).toBeGreaterThan(CLOSED);
  expect(found).toBeLessThan(CLOSED + IN_LOG);
});

test('a log torn within its last transaction is repaired, and loses that one alone', () => {
  for (const torn of [1, 100, 4_000, 4_119]) {
    const log = killed.log.subarray(0, killed.log.length - torn);
    expect(openedOn({ ...killed, log }), `${torn} bytes missing`).toBe(CLOSED + IN_LOG - 1);
  }
});

test('a log that was begun anew is read as far as it is, whatever stands behind', () => {
  const file = join(newFolder(), 'deliveries.sqlite');
  const engine = openEngine(file);
  // The log is written from its beginning again once a thousand pages have been taken over.
  acceptInto(engine, 0, 150, 40_000);
  const files = filesIn(file);
  engine.database.close();
  const salts = new Set(framesOf(files.log).map((frame) => frame.subarray(8, 16).toString('hex')));
  expect(salts.size, 'frames of several lives').toBeGreaterThan(1);
  expect(openedOn(files)).toBe(150);
  const old = changed(files.log, files.log.length - 5_000, 1);
  expect(openedOn({ ...files, log: old })).toBe(150);
});

const FRAME = 24 + 4_096;

function framesOf(log: Buffer): Buffer[] {
  return Array.from({ length: Math.floor((log.length - 32) / FRAME) }, (_, index) => log.subarray(32 + index * FRAME));
}

test('what a refusal leaves is what was there, log included', () => {
  const file = join(newFolder(), 'deliveries.sqlite');
  const before = { main: killed.main.subarray(0, 30_000), log: killed.log };
  writeFileSync(file, before.main);
  writeFileSync(`${file}-wal`, before.log);
  expect(() => openEngine(file)).toThrow('it is damaged');
  const after = filesIn(file);
  expect([after.main.equals(before.main), after.log.equals(before.log)]).toEqual([true, true]);
});
