import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Segment } from '../../analytics/node/segment.ts';

const { close, closeSync, fdatasync, fdatasyncSync, writeSync } = fs;
const REAL = { close, closeSync, fdatasync, fdatasyncSync, writeSync };
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-segment-'));
  path = join(folder, 'segment');
});

afterEach(() => {
  replace(REAL);
  rmSync(folder, { recursive: true, force: true });
});

/** Other functions in place of those of the file system, until the test is over. */
function replace(functions: { readonly [Name in keyof typeof REAL]?: unknown }): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}

/** A disk whose syncs end when a test says so; it remembers what was synced and closed, in order. */
function slowDisk() {
  const story: string[] = [];
  const ends: (() => void)[] = [];
  replace({
    fdatasync: (_file: number, done: () => void) => {
      story.push('sync');
      ends.push(done);
    },
    fdatasyncSync: (file: number) => {
      story.push('sync at once');
      fdatasyncSync(file);
    },
    close: (file: number, done: () => void) => {
      story.push('close');
      close(file, done);
    },
    closeSync: (file: number) => {
      story.push('close');
      closeSync(file);
    },
  });
  return { story, endSync: () => ends.shift()?.() };
}

test('one sync is under way at a time, and what was written meanwhile has the next', () => {
  const { story, endSync } = slowDisk();
  const segment = new Segment(path);
  for (const line of ['a', 'b', 'c']) segment.append(line);
  expect(story).toEqual(['sync']);
  endSync();
  expect(story).toEqual(['sync', 'sync']);
  endSync();
  expect(story).toEqual(['sync', 'sync']);
  segment.append('d');
  expect(story).toEqual(['sync', 'sync', 'sync']);
  endSync();
  segment.close();
  expect(story.slice(3)).toEqual(['sync at once', 'close']);
  expect(readFileSync(path, 'utf8')).toBe('a\nb\nc\nd\n');
});

test('a file that is closed while it is synced is open until then, and is closed once', () => {
  const { story, endSync } = slowDisk();
  const segment = new Segment(path);
  segment.append('a');
  segment.append('b');
  segment.close();
  expect(story).toEqual(['sync', 'sync at once']);
  endSync();
  expect(story).toEqual(['sync', 'sync at once', 'close']);
});

test('a line that is written in parts is whole', () => {
  replace({ writeSync: (file: number, bytes: Buffer, from: number) => writeSync(file, bytes, from, 1) });
  const segment = new Segment(path);
  segment.append('Größe');
  expect(segment.bytes).toBe(8);
  segment.close();
  expect(readFileSync(path, 'utf8')).toBe('Größe\n');
});

test('of a line that cannot be written nothing stays, and what was there before does', () => {
  const segment = new Segment(path);
  segment.append('kept');
  let writes = 0;
  replace({
    writeSync: (file: number, bytes: Buffer, from: number) => {
      writes += 1;
      if (writes === 1) return writeSync(file, bytes, from, 3);
      throw new Error('ENOSPC');
    },
  });
  expect(() => segment.append('not kept')).toThrow('ENOSPC');
  replace(REAL);
  expect(segment.bytes).toBe(5);
  segment.append('later');
  segment.close();
  expect(readFileSync(path, 'utf8')).toBe('kept\nlater\n');
});

test('an emptied file begins anew', () => {
  const segment = new Segment(path);
  segment.append('a');
  segment.empty();
  expect([segment.bytes, readFileSync(path, 'utf8')]).toEqual([0, '']);
  segment.append('b');
  expect([segment.bytes, readFileSync(path, 'utf8')]).toEqual([2, 'b\n']);
  segment.close();
});

test('a file that is there already is another one, and is not written', () => {
  fs.writeFileSync(path, 'other');
  expect(() => new Segment(path)).toThrow('EEXIST');
});
