import { expect, test } from 'vitest';
import { coverageFaults, coverageTable, ruleCoverage } from './rule-coverage.ts';

const DOCUMENT = `
- CFG-1: five resources
- CFG-2: paths
- LIB-1: calls

## Not proven yet

LIB-1
`;

test('a rule is proven by a passed test that begins with its id', () => {
  const coverage = ruleCoverage(['CFG-1: something holds', 'config > CFG-2, D-3: more holds'], DOCUMENT);
  expect([...coverage.proven]).toEqual(['CFG-1', 'CFG-2']);
  expect(coverageFaults(coverage)).toEqual([]);
});

test('a rule without proof and without excuse is a fault', () => {
  const coverage = ruleCoverage(['CFG-1: something holds', 'a test that mentions CFG-2 in passing'], DOCUMENT);
  expect(coverageFaults(coverage)).toEqual([expect.stringContaining('CFG-2 is proven by no test')]);
});

test('an excuse for a proven rule is a fault', () => {
  const coverage = ruleCoverage(['CFG-1, CFG-2, LIB-1: all hold'], DOCUMENT);
  expect(coverageFaults(coverage)).toEqual([expect.stringContaining('LIB-1 is proven')]);
});

test('the table counts each area and names what is missing', () => {
  expect(coverageTable(ruleCoverage(['CFG-1: holds'], DOCUMENT))).toBe(
    'Rules\n  CFG     1/2 proven, not yet: CFG-2\n  LIB     0/1 proven, not yet: LIB-1',
  );
});

test('the rules are all read from docs/rules.md', () => {
  expect(ruleCoverage([]).all).toHaveLength(104);
});
