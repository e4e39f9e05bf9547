import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { SLOW_TESTS } from './slow-first.ts';

test('the tests that begin first are there', () => {
  expect(SLOW_TESTS.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
