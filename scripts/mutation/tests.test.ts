import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { NEAR_TESTS, OF_FILES, testsOf } from './tests.ts';

const found = (files: string): readonly string[] => globSync(files, { cwd: ROOT });

test.each(Object.entries(OF_FILES))('%s has tests of its own, and all of them are there', (files, tests) => {
  expect(found(files)).not.toEqual([]);
  expect(tests.filter((one) => found(one).length === 0)).toEqual([]);
});

test('tests that are near any file are there', () => {
  expect(NEAR_TESTS.filter((one) => found(one).length === 0)).toEqual([]);
  expect(found('server/tests/rules/no-such-*.test.ts')).toEqual([]);
});

test('a file without tests of its own has those of its name among all that are near', () => {
  const { include } = testsOf('server/delivery/lease.ts');
  expect(include).toEqual(expect.arrayContaining([...NEAR_TESTS]));
  expect(include.flatMap(found)).toContain('server/tests/rules/lease.test.ts');
  expect(testsOf('server/delivery/pace.ts')).toEqual({ include: OF_FILES['server/delivery/pace.ts'], exclude: [] });
});
