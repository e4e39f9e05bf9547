import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABLES, withTable } from '../../../scripts/docs/testbed-tables.ts';
import { ROOT } from '../../../scripts/generate/root.ts';

const RESULTS = 'docs/results/testbed.md';

function read(page: string): string {
  return readFileSync(`${ROOT}${page}`, 'utf8');
}

test.each(Object.entries(TABLES))('docs/results/testbed.md holds the table %s as the code has it', (name, table) => {
  const page = read(RESULTS);
  expect(withTable(page, name, table()), 'run: node scripts/docs/testbed-pages.ts').toBe(page);
});

test('docs/testbed.md links every file of testbed/examples', () => {
  const links = read('docs/testbed.md').matchAll(/\]\(\.\.\/(testbed\/examples\/[^)]+)\)/g);
  const examples = globSync('testbed/examples/*', { cwd: ROOT }).toSorted();
  expect([...links].map(([, file = '']) => file).toSorted()).toEqual(examples);
});

test('a stale table is found', () => {
  const page = read(RESULTS);
  expect(withTable(page, 'parity', 'another')).not.toBe(page);
  expect(() => withTable(page, 'nonsense', '')).toThrow('the page has no place for the table nonsense');
});

test('docs/testbed.md names every entry of the package', () => {
  const { exports }: { exports: object } = JSON.parse(read('testbed/package.json'));
  const page = read('docs/testbed.md');
  const paragraph = /^The main entry .*$/m.exec(page)?.[0] ?? '';
  const named = [...paragraph.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => `./${name}`);
  expect(['.', ...named].toSorted()).toEqual(Object.keys(exports).toSorted());
});
