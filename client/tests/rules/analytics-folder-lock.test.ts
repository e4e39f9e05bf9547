import { spawnSync } from 'node:child_process';
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isPossible } from '../../../server/tests/support/possible.ts';
import { lockFolder } from '../../analytics/node/folder-lock.ts';

let folder = '';
let lock = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-lock-'));
  lock = join(folder, 'lock');
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
    lockFolder(folder)();
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
  const unlock = lockFolder(folder);
  const start = [performance.timeOrigin, startOf(process.pid)].filter((part) => part !== undefined);
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} ${start.join(' ')}`);
  expect(isTaken()).toBe(true);
  unlock();
  expect(existsSync(lock)).toBe(false);
  expect(isTaken()).toBe(false);
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

test('a folder that was given back may be given back again', () => {
  const unlock = lockFolder(folder);
  unlock();
  expect(unlock).not.toThrow();
});

test('a folder that cannot be written is an error, and not one of its lock', () => {
  const { writeFileSync: write } = fs;
  fs.writeFileSync = () => {
    throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
  };
  syncBuiltinESMExports();
  try {
    expect(() => lockFolder(folder)).toThrow('permission denied');
  } finally {
    fs.writeFileSync = write;
    syncBuiltinESMExports();
  }
});

test('a folder that is not there is an error', () => {
  rmSync(folder, { recursive: true });
  expect(() => lockFolder(folder)).toThrow('ENOENT');
});
