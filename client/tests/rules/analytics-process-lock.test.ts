import { spawnSync } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isPossible } from '../../../server/tests/support/possible.ts';
import { failing, replaced } from '../support/analytics-bad-disk.ts';
import { lockByProcess } from '../../analytics/node/process-lock.ts';

let folder = '';
let lock = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-lock-'));
  lock = join(folder, 'lock.1');
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** A lock that was written some seconds ago. */
function writeLock(text: string, secondsAgo: number): void {
  writeFileSync(lock, text);
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(lock, at, at);
}

/** What the system answers to the question whether a process lives. */
function answerKill(code: string): void {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
}

const isTaken = (): boolean => {
  try {
    lockByProcess(folder)();
    return false;
  } catch (error) {
    expect(String(error)).toMatch(/The folder .* is in use by process \d+: give each its own$/);
    return true;
  }
};

/** When a process began, as Linux tells it; undefined elsewhere. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
}

test('a folder is taken by the number and the start of the process, until it is given back', () => {
  const unlock = lockByProcess(folder);
  const start = [performance.timeOrigin, startOf(process.pid)].filter((part) => part !== undefined);
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} ${start.join(' ')}`);
  expect(isTaken()).toBe(true);
  unlock();
  expect(isTaken()).toBe(false);
});

test('the lock with the last number counts, and leaves no other', () => {
  for (const [number, text] of [
    [2, `${process.ppid} 5`],
    [9, `${process.ppid} 5`],
    [10, ''],
  ] as const) {
    writeFileSync(join(folder, `lock.${number}`), text);
  }
  const unlock = lockByProcess(folder);
  expect(readdirSync(folder)).toEqual(['lock.11']);
  unlock();
  expect(readdirSync(folder)).toEqual(['lock.11']);
});

/** Something happens between the look for a holder and the lock, once. */
function beforeLink(happens: () => void): Disposable {
  const { linkSync } = fs;
  let isOver = false;
  return replaced({
    linkSync: (from: string, to: string) => {
      if (!isOver) happens();
      isOver = true;
      linkSync(from, to);
    },
  });
}

test('who finds the number taken after it looked, looks again', () => {
  using _ = beforeLink(() => writeLock(`${process.ppid} 5`, 1));
  expect(isTaken()).toBe(true);
  expect(readdirSync(folder)).toEqual(['lock.1']);
});

test('who finds a later number after it has one has not got the folder, though the number was free again', () => {
  using _ = beforeLink(() => writeFileSync(join(folder, 'lock.3'), `${process.ppid} 5`));
  expect(isTaken()).toBe(true);
  expect(readdirSync(folder)).toEqual(['lock.3']);
});

test('a process that lives has its folder, if it began after the machine did', () => {
  writeLock(`${process.ppid} 5`, 1);
  expect(isTaken()).toBe(true);
  expect(readFileSync(lock, 'utf8')).toBe(`${process.ppid} 5`);
  writeLock(`${process.ppid} 5`, uptime() + 60);
  expect(isTaken()).toBe(false);
});

const isLinux = isPossible(process.platform === 'linux', 'Linux');

test.runIf(isLinux)('who has the number of the holder now is another if it began at another time', () => {
  // Threads have numbers too, so that a number of an earlier container is often in use.
  const threads = readdirSync('/proc/self/task').map(Number);
  for (const number of [process.ppid, process.pid, ...threads]) {
    writeLock(`${number} 5 1`, 1);
    expect(isTaken()).toBe(false);
  }
});

test.runIf(isLinux)('a process has its folder whatever time it is, and all of its threads have it', () => {
  for (const number of [process.ppid, process.pid]) {
    writeLock(`${number} 5 ${startOf(number)}`, uptime() + 60);
    expect(isTaken()).toBe(true);
  }
});

test('a process that lives no more has none', () => {
  writeLock(`${spawnSync(process.execPath, ['--version']).pid} 5`, 1);
  expect(isTaken()).toBe(false);
});

test.each([
  ['EPERM', true],
  ['ESRCH', false],
])('a process of which the system says %s has its folder: %s', (code, expected) => {
  writeLock('12345 5', 1);
  answerKill(code);
  expect(isTaken()).toBe(expected);
});

test.each(['', 'text', '0 5', '-1 5'])('a lock of %j names no process, and does not count', (text) => {
  writeLock(text, 1);
  expect(isTaken()).toBe(false);
});

test('a folder that was given back may be given back again, and is still that of its next holder', () => {
  const unlock = lockByProcess(folder);
  unlock();
  expect(unlock).not.toThrow();
  const next = lockByProcess(folder);
  expect(unlock).not.toThrow();
  expect(isTaken()).toBe(true);
  next();
});

test('a folder that cannot be written is an error, and not one of its lock', () => {
  using _ = failing('EACCES', 'writeFileSync');
  expect(() => lockByProcess(folder)).toThrow('EACCES');
});

test('a file system that cannot link is an error, and nothing is left in the folder', () => {
  using _ = failing('ENOTSUP', 'linkSync');
  expect(() => lockByProcess(folder)).toThrow('ENOTSUP');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that may not be read is an error', () => {
  writeLock('12345 5', 1);
  using _ = failing('EACCES', 'readFileSync');
  expect(() => lockByProcess(folder)).toThrow('EACCES');
});

test('a lock that is gone when it is read counts no more', () => {
  writeLock(`${process.ppid} 5`, 1);
  using _ = failing('ENOENT', 'readFileSync');
  expect(isTaken()).toBe(false);
});

test('a folder that is not there is an error', () => {
  rmSync(folder, { recursive: true });
  expect(() => lockByProcess(folder)).toThrow('ENOENT');
});
