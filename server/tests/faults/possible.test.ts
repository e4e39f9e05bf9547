import { expect, test } from 'vitest';
import { isPossible } from '../support/possible.ts';

test('what is missing for tests is told in a line, and nothing is told where it is there', () => {
  const lines: string[] = [];
  const tell = (line: string): void => void lines.push(line);
  expect(isPossible(false, 'a C compiler', tell)).toBe(false);
  expect(lines).toEqual(['Tests are skipped: they need a C compiler']);
  expect(isPossible(true, 'a C compiler', tell)).toBe(true);
  expect(lines).toHaveLength(1);
});
