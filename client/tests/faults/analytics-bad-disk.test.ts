import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStore } from '../../analytics/node/index.ts';
import { Segment } from '../../analytics/node/segment.ts';
import type { Store } from '../../analytics/store.ts';
import { bench } from '../support/analytics-bench.ts';
import { failing, replaced, smallDisk } from '../support/analytics-bad-disk.ts';

let root = '';
let folder = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-bad-disk-'));
  folder = join(root, 'queue');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const message = (id: string, length = 900) => ({
  messageId: id,
  json: JSON.stringify({ messageId: id, text: 'x'.repeat(length) }),
});
const segments = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

function open(segmentBytes?: number): Store {
  const store = diskStore({ folder, ...(segmentBytes !== undefined && { segmentBytes }) });
  store.recover();
  return store;
}

/** What the next process finds. */
function idsLeft(store: Store): string[] {
  store.close();
  const next = diskStore({ folder });
  const ids = next.recover().map(({ messageId }) => messageId);
  next.close();
  return ids;
}

/** As the client does, which goes on when the store throws. */
function codeOf(work: () => void): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Adds until the store refuses even what is small. */
function fill(store: Store): string[] {
  const ids: string[] = [];
  for (const length of [900, 0]) {
    while (codeOf(() => store.add(message(`m${ids.length}`, length))) === 'ok') ids.push(`m${ids.length}`);
  }
  return ids;
}

test.each([10_000, undefined])(
  'a disk that the queue has filled takes messages again when they were delivered, with files of %j bytes',
  (segmentBytes) => {
    const store = open(segmentBytes);
    using _ = smallDisk(folder, 100_000);
    const ids = fill(store);
    expect(ids.length).toBeGreaterThan(90);
    for (let from = 0; from < ids.length; from += 10) codeOf(() => store.end(ids.slice(from, from + 10)));
    expect(segments()).toHaveLength(1);
    store.add(message('next'));
    expect(idsLeft(store)).toEqual(['next']);
  },
);

test('an end that cannot be written keeps no file from being removed', () => {
  const store = open(10_000);
  for (let n = 0; n < 20; n += 1) store.add(message(`m${n}`));
  {
    using _ = failing('ENOSPC', 'writeSync');
    expect(codeOf(() => store.end(['m0', 'm1']))).toBe('ENOSPC');
  }
  store.end(Array.from({ length: 18 }, (_, n) => `m${n + 2}`));
  expect(segments()).toHaveLength(1);
  expect(idsLeft(store)).toEqual([]);
});

test('where no next file can be opened, the store goes on when one can, and writes into no file of the program', () => {
  // What is not being synced is closed at once.
  using calls = new DisposableStack();
  calls.use(replaced({ fdatasync: (_file: number, done: () => void) => done() }));
  const store = open(2_000);
  for (const id of ['m0', 'm1', 'm2']) store.add(message(id));
  {
    using _ = failing('EMFILE', 'openSync');
    for (const id of ['refused', 'too']) expect(codeOf(() => store.add(message(id)))).toBe('EMFILE');
    expect(codeOf(() => store.end(['m0']))).toBe('EMFILE');
  }
  const own = openSync(join(root, 'own'), 'w');
  for (const id of ['m3', 'm4']) store.add(message(id));
  writeSync(own, 'payroll');
  closeSync(own);
  expect(readFileSync(join(root, 'own'), 'utf8')).toBe('payroll');
  store.end(['m1']);
  expect(idsLeft(store)).toEqual(['m0', 'm2', 'm3', 'm4']);
});

test('a file that cannot be removed is removed later, and no file after it goes before', () => {
  const store = open(2_000);
  for (let n = 0; n < 9; n += 1) store.add(message(`m${n}`));
  const before = segments();
  {
    using _ = failing('EBUSY', 'rmSync');
    expect(codeOf(() => store.end(['m0', 'm1', 'm2']))).toBe('EBUSY');
  }
  store.end(['m3', 'm4', 'm5']);
  expect(segments()).toEqual([...before.slice(2), '000000004.jsonl']);
  expect(idsLeft(store)).toEqual(['m6', 'm7', 'm8']);
});

test('a file that cannot be synced as it is closed keeps neither the next one nor the folder', () => {
  const store = open(2_000);
  for (const id of ['m0', 'm1', 'm2']) store.add(message(id));
  {
    using _ = failing('EIO', 'fdatasyncSync');
    expect(codeOf(() => store.add(message('refused')))).toBe('EIO');
    store.add(message('m3'));
    expect(codeOf(() => store.close())).toBe('EIO');
  }
  expect(idsLeft(store)).toEqual(['m0', 'm1', 'm2', 'm3']);
});

test('LIB-2: where no file can be opened, a client starts, and sends what is left', async () => {
  const before = open();
  before.add(message('left'));
  before.close();
  using calls = new DisposableStack();
  const store = diskStore({ folder });
  calls.use(failing('EMFILE', 'openSync'));
  const { analytics, clock, server } = bench({ store });
  expect(analytics.track('u', 'refused')).toMatchObject({ ok: false, reason: 'not_stored' });
  await clock.until(analytics.close());
  expect(server.acceptedIds).toEqual(['left']);
});

test('LIB-2: a file that cannot be read is told of, with the way out, and nothing of it is lost', () => {
  const before = open();
  before.add(message('left'));
  before.close();
  const store = diskStore({ folder });
  {
    using _ = failing('EIO', 'readFileSync');
    const path = join(folder, '000000001.jsonl');
    expect(() => bench({ store })).toThrow(`${path} cannot be read: EIO`);
    expect(() => bench({ store })).toThrow('move it away to start without what it holds');
  }
  expect(idsLeft(store)).toEqual(['left']);
});

test('LIB-2: files that cannot be removed keep no client from starting, and nothing in them is sent again', () => {
  const store = open(2_000);
  for (let n = 0; n < 6; n += 1) store.add(message(`m${n}`));
  {
    using _ = failing('EBUSY', 'rmSync');
    expect(codeOf(() => store.end(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']))).toBe('EBUSY');
    expect(codeOf(() => store.close())).toBe('EBUSY');
    const next = diskStore({ folder });
    expect(next.recover()).toEqual([]);
    expect(codeOf(() => next.close())).toBe('EBUSY');
    expect(segments().length).toBeGreaterThan(1);
  }
  expect(idsLeft(open())).toEqual([]);
  expect(segments()).toEqual([]);
});

test('LIB-2: once a sync failed, a line counts as kept when it is on the disk, and no earlier', () => {
  const store = open();
  {
    using calls = new DisposableStack();
    calls.use(replaced({ fdatasync: (_file: number, done: (error: Error) => void) => done(new Error('EIO')) }));
    store.add(message('told too early'));
    calls.use(failing('ENOSPC', 'fdatasyncSync'));
    for (const id of ['refused', 'too']) expect(codeOf(() => store.add(message(id)))).toBe('ENOSPC');
  }
  store.add(message('kept'));
  expect(idsLeft(store)).toEqual(['told too early', 'kept']);
});

test('a store that is closed forgets nothing that is said to have ended', () => {
  const store = open(2_000);
  for (let n = 0; n < 9; n += 1) store.add(message(`m${n}`));
  store.close();
  const before = segments();
  expect(() => store.end(['m0', 'm1', 'm2'])).toThrow('is closed');
  expect(segments()).toEqual(before);
});

test('no line follows a part of one that cannot be cut off', () => {
  const path = join(root, 'segment');
  const segment = new Segment(path);
  segment.append('kept');
  {
    using _ = smallDisk(root, 8);
    expect(codeOf(() => segment.append('refused'))).toBe('ENOSPC');
  }
  {
    using _ = failing('EIO', 'ftruncateSync');
    expect(codeOf(() => segment.append('too'))).toBe('EIO');
  }
  expect(readFileSync(path, 'utf8')).toBe('kept\nref');
  segment.append('later');
  segment.close();
  expect(readFileSync(path, 'utf8')).toBe('kept\nlater\n');
});

test('when its folder is removed, what comes after that is kept again', () => {
  const store = open();
  store.add(message('gone'));
  rmSync(folder, { recursive: true });
  for (const id of ['a', 'b', 'c']) store.add(message(id));
  store.end(['gone', 'b']);
  expect(idsLeft(store)).toEqual(['a', 'c']);
});

test.each([
  ['in a text', 'b'.repeat(9), 'bbbbabbbb'],
  ['to bytes that are no text', 'b'.repeat(9), 'bbbb\xffbbbb'],
  ['in an id', '"messageId":"b"', '"messageId":"d"'],
  ['in an end', '"ended":["x"]', '"ended":["a"]'],
])('LIB-2: a line that a disk changed %s is neither sent nor believed, and told of', async (_, was, is) => {
  const before = open();
  for (const id of ['a', 'b', 'x', 'c'])
    before.add({ messageId: id, json: JSON.stringify({ messageId: id, text: id.repeat(9) }) });
  before.end(['x']);
  before.close();
  const path = join(folder, '000000001.jsonl');
  writeFileSync(path, readFileSync(path, 'latin1').replace(was, is), 'latin1');
  const { analytics, clock, server, log } = bench({ store: diskStore({ folder }) });
  expect(log.lines).toEqual([`warn [waybill] 1 lines of ${path} are damaged: what they held is lost`]);
  await clock.until(analytics.close());
  expect(server.acceptedIds).toEqual(was.includes('ended') ? ['a', 'b', 'x', 'c'] : ['a', 'c']);
});

test('LIB-2: lines of the first version, which have no check, are read', () => {
  const before = open();
  before.close();
  writeFileSync(join(folder, '000000001.jsonl'), '{"messageId":"a"}\n{"messageId":"b"}\n{"ended":["a"]}\n');
  expect(idsLeft(before)).toEqual(['b']);
});

test('LIB-15: a disk that takes no ends is told of once until it takes them again, however many batches end', async () => {
  const { analytics, clock, log } = bench({ store: diskStore({ folder }), uploadSize: 1 });
  const deliver = async (messages: number, code?: string): Promise<void> => {
    for (let n = 0; n < messages; n += 1) analytics.track('u', 'e');
    using _ = code === undefined ? undefined : failing(code, 'writeSync');
    await clock.until(analytics.flush());
  };
  await deliver(10, 'ENOSPC');
  await deliver(1, 'ENOSPC');
  const told = 'error [waybill] a callback or the store threw Error: ENOSPC';
  expect(log.lines).toEqual([told]);
  await deliver(1);
  await deliver(1, 'ENOSPC');
  expect(log.lines).toEqual([told, told]);
  await clock.until(analytics.close());
  expect(analytics.statistics).toMatchObject({ delivered: 13, failed: 0 });
});

test('LIB-2: lines that a disk damaged are told of, by file, and cost no others', async () => {
  const before = open();
  for (const id of ['a', 'b', 'c']) before.add(message(id));
  before.close();
  const path = join(folder, '000000001.jsonl');
  const damaged = readFileSync(path, 'utf8').replace('"messageId":"b"', '"messag\0\0\0\0\0\0');
  writeFileSync(path, `${damaged}{"messageId":"cut off`);
  const { analytics, clock, server, log } = bench({ store: diskStore({ folder }) });
  expect(log.lines).toEqual([`warn [waybill] 1 lines of ${path} are damaged: what they held is lost`]);
  await clock.until(analytics.close());
  expect(server.acceptedIds).toEqual(['a', 'c']);
});
