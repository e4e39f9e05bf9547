import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockFolder } from '../../analytics/node/folder-lock.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-lock-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const IN_USE = 'is in use by another process, or another store of this one: give each its own';

/** A thread that takes the folder, then does what is said. */
function thread(then: string): Worker {
  const module = new URL('../../analytics/node/folder-lock.ts', import.meta.url).href;
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(${JSON.stringify(module)}).then(({ lockFolder }) => {
      globalThis.unlock = lockFolder(workerData);
      parentPort.postMessage('has it');
      ${then}
    });`;
  return new Worker(code, { eval: true, workerData: folder });
}

test('a folder is taken until it is given back, however often that is', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`The folder ${folder} ${IN_USE}`);
  unlock();
  const next = lockFolder(folder);
  unlock();
  expect(() => lockFolder(folder)).toThrow(IN_USE);
  next();
});

test('what has the lock is one empty file, readable by its owner alone', () => {
  const unlock = lockFolder(folder);
  const { size, mode } = statSync(join(folder, 'lock.sqlite'));
  expect([readdirSync(folder), size, mode & 0o777]).toEqual([['lock.sqlite'], 0, 0o600]);
  unlock();
  expect(readdirSync(folder)).toEqual(['lock.sqlite']);
});

test('a thread has its folder until it ends, and one that crashes has it no more', async () => {
  const waiting = thread('setInterval(() => {}, 60_000);');
  await once(waiting, 'message');
  expect(() => lockFolder(folder)).toThrow(IN_USE);
  await waiting.terminate();
  const crashing = thread("throw new Error('crash');");
  const exited = new Promise((resolve) => crashing.once('exit', resolve));
  await once(crashing, 'error');
  await exited;
  lockFolder(folder)();
});

test('a folder that is not there is an error that says so', () => {
  expect(() => lockFolder(join(folder, 'none'))).toThrow(
    `The folder ${join(folder, 'none')} cannot be locked: unable to`,
  );
});

test('a lock that a disk damaged is told of, with the way out', () => {
  const path = join(folder, 'lock.sqlite');
  writeFileSync(path, 'x'.repeat(1024));
  expect(() => lockFolder(folder)).toThrow(
    `The folder ${folder} cannot be locked: ${path} is damaged: remove it while no client runs`,
  );
  rmSync(path);
  lockFolder(folder)();
});

test('where there is no SQLite, the folder is taken by number and start of the process', () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  const unlock = lockFolder(folder);
  expect(readdirSync(folder)).toEqual(['lock.1']);
  unlock();
});

test('users are told neither that SQLite is experimental, nor less than before of all else', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  const sqlite = process.getBuiltinModule('node:sqlite');
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
    process.emitWarning('SQLite is experimental');
    return sqlite;
  });
  lockFolder(folder)();
  expect(warn).not.toHaveBeenCalled();
  process.emitWarning('all else');
  expect(warn).toHaveBeenCalledWith('all else');
});
