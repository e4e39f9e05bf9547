import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { folderInMemory } from './folders-in-memory.ts';

/** Folders whose tests the configuration never runs. */
function forgottenBy(config: string): string[] {
  const [, included = ''] = /include: \['\{([\w,]+)\}\/\*\*\/\*\.test\.ts'\]/.exec(config) ?? [];
  const files = globSync('*/**/*.test.ts', { cwd: ROOT, exclude: ['node_modules/**', '**/node_modules/**'] });
  const folders = new Set(files.map((file) => file.split('/')[0] ?? ''));
  return [...folders.difference(new Set(included.split(',')))];
}

const CONFIG = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8');

test('every folder that has tests is one that is run', () => {
  expect(forgottenBy(CONFIG)).toEqual([]);
});

test('a folder that is left out of the configuration is found', () => {
  expect(forgottenBy(CONFIG.replace('{server,client,cli,', '{server,client,'))).toEqual(['cli']);
});

test('folders of tests are where others may have theirs too, as a server that runs as another user', () => {
  const parent = newFolder();
  const folder = folderInMemory(parent, 0);
  expect([folder?.startsWith(`${parent}/`), statSync(folder ?? '').mode & 0o7777]).toEqual([true, 0o1777]);
  expect(readdirSync(folder ?? '')).toEqual([]);
});

test('what a killed run left in memory is removed, and no other folder', () => {
  const parent = newFolder();
  const [left, mine, others] = ['waybill-tests-999999999-a', `waybill-tests-${process.pid}-b`, 'another'];
  for (const name of [left, mine, others]) mkdirSync(join(parent, name));
  const made = folderInMemory(parent, 0) ?? '';
  expect(readdirSync(parent).toSorted()).toEqual([basename(made), mine, others].toSorted());
});

test('without memory that looks like a disk, or enough of it, they stay where they are', () => {
  const parent = newFolder();
  expect(folderInMemory(join(parent, 'absent'), 0)).toBeUndefined();
  expect(folderInMemory(parent, Number.MAX_SAFE_INTEGER)).toBeUndefined();
  expect(readdirSync(parent)).toEqual([]);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
