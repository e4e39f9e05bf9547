import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BENCHES } from '../bench/benches.ts';
import { ROOT } from '../generate/root.ts';
import { HOSTILE_ROWS } from '../hostile/rows.ts';
import { ALL_SETS } from '../peers/client-sets.ts';
import { REASONS } from '../peers/sets.ts';
import { benchNames, benchPage } from './bench-page.ts';
import { survivors, unexplainedOf } from './mutation-page.ts';
import { PAGES, stalePages } from './pages.ts';
import { markdownTable, type Origin, originNow, readResult, resultNames } from './result.ts';
import { sizingPage } from './sizing.ts';

test('every page of docs/results/ is what its figures say', () => {
  expect(stalePages(), 'run: npm run generate').toEqual([]);
});

test('a page that is not what its figures say is found', () => {
  const page = 'docs/results/benches.md';
  expect(stalePages({ [page]: () => benchPage().replace('measured', 'guessed') })).toEqual([page]);
  expect(stalePages({ 'docs/results/none.md': () => '' })).toEqual(['docs/results/none.md']);
});

test('the sizes in docs/postgresql.md are what its figures say', () => {
  const { value = 0 } = readResult('bench-routers').figures.find(({ what }) => what === 'disk, in batches of 20') ?? {};
  expect(sizingPage()).toContain(`| ${Math.round((value * 1_000 * 86_400) / 1e9)} GB a day |`);
  const page = 'docs/postgresql.md';
  expect(stalePages({ [page]: () => sizingPage().replace(' GB a day |', ' MB a day |') })).toEqual([page]);
});

test('no page of docs/results/ is written by hand', () => {
  // The page of the testbed has a test of its own: it is made of what the testbed does, and of no figures.
  const pages = [...Object.keys(PAGES), 'docs/results/testbed.md'];
  expect(globSync('docs/results/*.md', { cwd: ROOT }).toSorted()).toEqual(pages.toSorted());
});

test.each(resultNames())('the figures of %s have a command, a date and a commit', (name) => {
  const { command, date, commit, machine }: Origin = JSON.parse(
    readFileSync(join(ROOT, `docs/results/${name}.json`), 'utf8'),
  );
  expect(command).toMatch(/^(?:npm run [a-z:]+|npx node scripts\/)/);
  expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(commit).toMatch(/^[\da-f]{7,}$/);
  expect(machine).toContain('Node');
});

test('what is measured now has an origin of the same form', () => {
  expect(originNow('npm run bench')).toMatchObject({
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    commit: expect.stringMatching(/^[\da-f]{7,}(-dirty)?$/),
    machine: expect.stringContaining(`Node ${process.versions.node}`),
  });
});

test('every bench has kept figures, and no other has', () => {
  expect(benchNames()).toEqual(BENCHES.map(({ name }) => `bench-${name}`).toSorted());
});

test('every hostile receiver has kept figures, with the outcome that it must have', () => {
  const { rows } = readResult('hostile');
  expect(rows.map(({ fault, outcome }) => [fault, outcome])).toEqual(
    HOSTILE_ROWS.map(({ fault, outcome }) => [fault, outcome]),
  );
});

test('what does not work on Bun and Deno is named where the page of the testbed says that the rest does', () => {
  const text = readFileSync(join(ROOT, 'docs/testbed.md'), 'utf8');
  const [sentence = ''] = /On Bun 1 and Deno 2 [^.]*\./.exec(text) ?? [];
  const named = [...sentence.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  const failing = Object.values(REASONS).flatMap((parts) => Object.keys(parts).map((part) => part.replace('./', '')));
  expect(new Set(named)).toEqual(new Set(failing));
});

test('what is kept of the packages beside ours is of sets that are tried', () => {
  const names = ALL_SETS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(readResult('peers').sets.filter(({ name }) => !names.includes(name))).toEqual([]);
});

test('a cell of a table cannot end it', () => {
  expect(markdownTable(['a'], [['x | y\nz']])).toBe('| a |\n|---|\n| x \\| y z |');
});

test('the pages that results are linked from are there', () => {
  for (const page of Object.keys(PAGES)) {
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(\.\.\/([\w-]+\.md)/g)];
    for (const [, target = ''] of links) expect(globSync(`docs/${target}`, { cwd: ROOT })).toHaveLength(1);
  }
});

test('every survivor of a mutation run that stays has a kind, and none is counted twice', () => {
  const { runs, kinds } = readResult('mutation');
  for (const run of runs) {
    expect(unexplainedOf(run), run.files).toBeGreaterThanOrEqual(0);
    expect(Object.keys(kinds), run.files).toEqual(expect.arrayContaining(Object.keys(run.stay ?? {})));
  }
  expect(new Set(runs.map(({ files }) => files)).size).toBe(runs.length);
});

test('survivors of a mutation run are told by their kind, and those that nobody has explained as such', () => {
  const run = { files: 'a.ts', date: '2026-01-01', commit: 'abc', mutants: 10, killed: 7 };
  expect(survivors(run)).toBe('3 not explained');
  expect(survivors({ ...run, stay: { same: 2 } })).toBe('2 same, 1 not explained');
  expect(survivors({ ...run, stay: { same: 2, words: 1 } })).toBe('2 same, 1 words');
  expect(unexplainedOf({ ...run, stay: { same: 4 } })).toBe(-1);
  expect(survivors({ ...run, killed: 10 })).toBe('');
});
