import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { fileFault } from '../../recording/file-fault.ts';

const CALLS = {
  read: (file: string) => readFileSync(file, 'utf8'),
  write: (file: string) => writeFileSync(file, 'x'),
} as const;

test.each([
  ['write', '/nowhere/at/all', 'ENOENT: no such file or directory; make the folder /nowhere/at, or name another'],
  ['read', '/nowhere/at/all', 'ENOENT: no such file or directory; name one that is there'],
  ['write', tmpdir(), 'EISDIR: illegal operation on a directory; name a file in it'],
  ['read', tmpdir(), 'EISDIR: illegal operation on a directory; name a file in it'],
  ['write', '/dev/null/x', 'ENOTDIR: not a directory; /dev/null is no folder; name another'],
  ['write', '/dev/full', 'ENOSPC: no space left on device; make room, or name a file on another disk'],
] as const)('to %s %s is told with the way out', (what, file, words) => {
  const fault = () => {
    try {
      CALLS[what](file);
      return undefined;
    } catch (error) {
      return fileFault(what, file, error);
    }
  };
  expect(fault()).toBe(`Cannot ${what} ${file}: ${words}`);
});

test('what is no fault of the system is told in its own words', () => {
  expect(fileFault('read', 'x', new Error('it is Tuesday'))).toBe('Cannot read x: it is Tuesday');
});
