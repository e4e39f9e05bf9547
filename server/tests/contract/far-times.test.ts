import { expect, test } from 'vitest';
import { readRange } from '../../resources/metrics.ts';

/** Found by random requests: rounded up to a whole hour, such a time has a year of five digits in the answer. */
test.each([
  { to: '9999-12-31T23:00:00.001Z' },
  { from: '0000-12-31T00:00:00Z', to: '0000-12-31T01:00:00Z' },
  { to: '0001-01-01T12:00:00Z' },
])('a range of metrics that no answer can write is refused: %j', (query) => {
  expect(() => readRange(query, 0)).toThrow('from and to must be between the years 1 and 9999');
});

test('the last hour that an answer can write is served', () => {
  const { to } = readRange({ to: '9999-12-31T22:00:00.001Z' }, 0);
  expect(new Date(to).toISOString()).toBe('9999-12-31T23:00:00.000Z');
});
