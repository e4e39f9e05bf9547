import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TABLES, withTable } from '../../../scripts/docs/testbed-tables.ts';
import { ROOT } from '../../../scripts/generate/root.ts';
import { PAGES, textOf, wordsOf } from '../support/doc-blocks.ts';

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

const MAX_WORDS = 5_000;

test('the pages about the testbed are at most 5,000 words', () => {
  const words = PAGES.map((page) => [page, wordsOf(textOf(page))] as const);
  expect(
    words.reduce((sum, [, count]) => sum + count, 0),
    JSON.stringify(words),
  ).toBeLessThanOrEqual(MAX_WORDS);
});

test('no page about the testbed is left out of the count', () => {
  const others = globSync('docs/**/*.md', { cwd: ROOT })
    .map((file) => file.replace('docs/', ''))
    // Those of results are tables of figures, which nobody reads to learn the testbed.
    .filter((page) => !page.startsWith('results/'))
    .filter(
      (page) => (textOf(page).match(/@waybill\/testbed|waybill-(?:receiver|certify|simulate)/g) ?? []).length > 3,
    );
  expect(others.filter((page) => !PAGES.some((own) => own === page))).toEqual([]);
});

test('a sentence that stands in two of the pages is found, and there is none', () => {
  expect(
    toldTwice([
      'One sentence of at least eight words in a row. B.',
      'A. One sentence of at least eight words in a row.',
    ]),
  ).toHaveLength(1);
  expect(toldTwice(PAGES.map((page) => textOf(page)))).toEqual([]);
});

function toldTwice(pages: readonly string[]): string[] {
  const sentences = pages.map((page) => new Set(page.split(/(?<=[.:])\s+|\n/).filter((each) => wordsOf(each) >= 8)));
  return sentences.flatMap((own, index) =>
    [...own].filter((each) => sentences.slice(index + 1).some((other) => other.has(each))),
  );
}
