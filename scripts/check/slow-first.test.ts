import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { SLOW_TESTS, slowFirst } from './slow-first.ts';

test('the tests that begin first are there', () => {
  expect(SLOW_TESTS.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('files of one project follow each other, the slow ones first and the others as they came', () => {
  const [slow = '', slower = ''] = SLOW_TESTS.toReversed();
  const files = [
    ['sharing', 'large.test.ts'],
    ['alone', 'small.test.ts'],
    ['sharing', slow],
    ['alone', 'tiny.test.ts'],
    ['sharing', slower],
  ].map(([name = '', file = '']) => ({ moduleId: join(ROOT, file), project: { name } }));
  expect(slowFirst(files).map(({ moduleId }) => moduleId)).toEqual(
    ['small.test.ts', 'tiny.test.ts', slower, slow, 'large.test.ts'].map((file) => join(ROOT, file)),
  );
});
