import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TESTS = globSync('{server,client,cli,testbed,scripts}/**/*.ts', {
  cwd: ROOT,
  exclude: (path) => path === 'node_modules' || path === 'dist',
});

/**
 * A test that something broken is found must find it every time: random values find it nearly always, and then fail one
 * run in a hundred. What expects a fault gives the seed by which the values are made.
 */
const EXPECTS_FAULT = /\bfailed\)\.toBe\(true\)|\.not\.toBe\(false\)|fc\.assert\([^;]*\.rejects\./;

function unseeded(source: string): boolean {
  return /\bfc\.(?:check|assert)\(/.test(source) && EXPECTS_FAULT.test(source) && !/\bseed: \d/.test(source);
}

test('what expects random values to find a fault gives the seed of these values', () => {
  const found = TESTS.filter((path) => unseeded(readFileSync(`${ROOT}/${path}`, 'utf8')));
  expect(found).toEqual([]);
});

test.each([
  'const found = fc.check(property, { numRuns: 5_000 });\nexpect(found.failed).toBe(true);',
  'await expect(fc.assert(property, { numRuns: 100 })).rejects.toThrow();',
])('a test that leaves the seed to chance is found: %j', (source) => {
  expect(unseeded(source)).toBe(true);
  expect(unseeded(source.replace('numRuns', 'seed: 1, numRuns'))).toBe(false);
});
