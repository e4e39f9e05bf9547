import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shownFiles, withShownFiles } from '../../../scripts/docs/shown-files.ts';
import { TABLES, withTable } from '../../../scripts/docs/testbed-tables.ts';
import { ROOT } from '../../../scripts/generate/root.ts';

const PAGES = ['docs/testbed.md', 'docs/results/testbed.md'];
const WAY_OUT = 'run: node scripts/docs/testbed-pages.ts';

function read(page: string): string {
  return readFileSync(`${ROOT}${page}`, 'utf8');
}

test.each(Object.entries(TABLES))('docs/results/testbed.md holds the table %s as the code has it', (name, table) => {
  const page = read('docs/results/testbed.md');
  expect(withTable(page, name, table()), WAY_OUT).toBe(page);
});

test.each(PAGES)('%s shows its files as they are', (page) => {
  expect(withShownFiles(read(page), ROOT), WAY_OUT).toBe(read(page));
});

test('docs/testbed.md shows or links every file of testbed/examples', () => {
  const page = read('docs/testbed.md');
  const linked = [...page.matchAll(/\]\(\.\.\/(testbed\/examples\/[^)]+)\)/g)].map(([, file = '']) => file);
  const examples = globSync('testbed/examples/*', { cwd: ROOT }).toSorted();
  expect([...shownFiles(page), ...linked].toSorted()).toEqual(examples);
});

test('a stale table and a stale file are found', () => {
  const page = read('docs/results/testbed.md');
  expect(withTable(page, 'parity', 'another')).not.toBe(page);
  expect(() => withTable(page, 'nonsense', '')).toThrow('the page has no place for the table nonsense');
  const shown = read('docs/testbed.md').replace('believes everybody', 'believes nobody');
  expect(withShownFiles(shown, ROOT)).not.toBe(shown);
});
