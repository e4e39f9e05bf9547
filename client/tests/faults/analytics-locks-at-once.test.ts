import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../support/analytics-program.ts';

const FOLDERS = 20;
/** Until all have started. */
const STARTING_MS = 500;

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-locks-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test.each([
  ['system', undefined],
  ['process', undefined],
  ['process', '999999999 5 1'],
])(
  'of processes that take a folder at the same moment one has it: lock of the %s, left before: %j',
  async (kind, left) => {
    const numbers = Array.from({ length: FOLDERS }, (_, number) => number);
    for (const number of numbers) {
      mkdirSync(join(root, String(number)));
      if (left !== undefined) writeFileSync(join(root, String(number), 'lock.1'), left);
    }
    const begin = String(Date.now() + STARTING_MS);
    const programs = [1, 2, 3].map(() => runProgram('locking.ts', [kind, root, String(FOLDERS), begin]));
    await Promise.all(programs.map((program) => program.printed('done')));
    for (const { child } of programs) child.kill('SIGKILL');
    const ended = await Promise.all(programs.map((program) => program.ended));
    const all = ended.flatMap(({ output }) => output.match(/^\d+$/gm) ?? []).map(Number);
    expect(all.toSorted((one, other) => one - other)).toEqual(numbers);
  },
);
