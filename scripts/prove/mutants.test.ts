import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { readResult } from '../results/result.ts';
import { ruleCoverage } from '../rules/rule-coverage.ts';
import { type Mutant, mutantFaults, mutated } from './mutant.ts';
import { MUTANTS } from './mutants/all.ts';
import { type Row, rowsOf, tableFaults } from './table.ts';
import { exactly, namePattern } from './test-files.ts';

const MUTANT: Mutant = {
  rule: 'HOOK-5',
  file: 'server/delivery/signatures.ts',
  find: "'sha1'",
  replace: "'sha256'",
  breaks: 'the digest is another one',
};

test('every rule that is proven has a mutant, and every mutant fits its file', () => {
  const { all, excused } = ruleCoverage([]);
  const proven = all.filter((rule) => !excused.has(rule));
  expect(mutantFaults(MUTANTS, proven, ROOT)).toEqual([]);
});

test('no two mutants are told of in the same words', () => {
  const told = MUTANTS.map(({ rule, breaks }) => `${rule} ${breaks}`);
  expect(told).toEqual([...new Set(told)]);
});

test('docs/results/ has the mutants that there are', () => {
  expect(tableFaults(MUTANTS, readResult('prove').rows)).toEqual([]);
});

test.each([
  ['a rule without one', [], ['HOOK-5'], 'HOOK-5 has no mutant: add one to scripts/prove/mutants/'],
  ['one of a rule that is not proven', [MUTANT], [], 'a mutant is of HOOK-5, which docs/rules.md does not have'],
  ['a text that is gone', [{ ...MUTANT, find: 'sha0' }], ['HOOK-5'], 'stale mutant of HOOK-5: "sha0" stands 0 times'],
  [
    'a text that stands there twice',
    [{ ...MUTANT, find: 'createHash' }],
    ['HOOK-5'],
    'stale mutant of HOOK-5: "createHash" stands 2 times',
  ],
  ['a file that is gone', [{ ...MUTANT, file: 'server/none.ts' }], ['HOOK-5'], 'no such file'],
  ['an edit that changes nothing', [{ ...MUTANT, replace: MUTANT.find }], ['HOOK-5'], 'changes nothing'],
])('%s is a fault', (_what, mutants, rules, fault) => {
  expect(mutantFaults(mutants, rules, ROOT)).toEqual([expect.stringContaining(fault)]);
});

test('an edit replaces its text, and nothing but it', () => {
  expect(mutated({ ...MUTANT, replace: '$&$1' }, "a 'sha1' b")).toBe('a $&$1 b');
});

test('results that lack a mutant, have one too many, or a survivor, are a fault', () => {
  const killed: Row = { rule: 'HOOK-5', breaks: MUTANT.breaks, test: 'some test' };
  expect(tableFaults([MUTANT], [killed])).toEqual([]);
  expect(tableFaults([{ ...MUTANT, breaks: 'other' }], [killed])).toEqual([
    expect.stringContaining('there is no result of HOOK-5 (other): run npm run prove -- --rule HOOK-5'),
    expect.stringContaining('there is a result of HOOK-5 without a mutant (the digest is another one)'),
  ]);
  expect(tableFaults([MUTANT], [{ ...killed, test: null }])).toEqual([
    expect.stringContaining('a mutant of HOOK-5 survived'),
  ]);
});

test('a new result takes the place of the old one, in the order of the mutants', () => {
  const others = ['first', 'second'].map((breaks) => ({ ...MUTANT, breaks }));
  const before: Row[] = ['second', 'first', 'gone'].map((breaks) => ({ rule: 'HOOK-5', breaks, test: 'old' }));
  const fresh: Row[] = [{ rule: 'HOOK-5', breaks: 'first', test: 'new' }];
  expect(rowsOf(others, fresh, before).map(({ breaks, test: killer }) => [breaks, killer])).toEqual([
    ['first', 'new'],
    ['second', 'old'],
  ]);
});

test('a test names the rules that stand before its first colon', () => {
  const pattern = new RegExp(namePattern(['HOOK-1']));
  for (const name of ['HOOK-1: x', 'CFG-1, HOOK-1: x', 'batches HOOK-1: x: y']) expect(name).toMatch(pattern);
  for (const name of ['HOOK-10: x', 'x: HOOK-1: y', 'HOOK-1 in passing']) expect(name).not.toMatch(pattern);
});

test('a test is chosen by its name, however its group is joined to it', () => {
  const pattern = new RegExp(exactly(['batches LIB-9: a (full) batch', 'HOOK-1: x']));
  for (const name of ['batches LIB-9: a (full) batch', 'batches > LIB-9: a (full) batch', 'HOOK-1: x']) {
    expect(name).toMatch(pattern);
  }
  for (const name of ['HOOK-1: x y', 'LIB-9: a (full) batch']) expect(name).not.toMatch(pattern);
});
