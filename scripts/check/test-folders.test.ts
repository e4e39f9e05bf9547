import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';

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
