import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * A text of SQL, and a column that is answered as another type under its own name. `ORDER BY` with a bare name means what is answered:
 * numbers come in the order of texts, and no index gives it.
 */
const CAST = /\b(\w+)::\w+(?:\[\])? AS \1\b|\bCAST\((\w+) AS \w+\) AS \2\b/gi;

function ordersByText(sql: string): readonly string[] {
  const cast = [...sql.matchAll(CAST)].flatMap(([, postgres, sqlite]) => postgres ?? sqlite ?? []);
  const orders = [...sql.matchAll(/ORDER BY ([^)]*?)(?:LIMIT|\)|$)/gi)].flatMap(([, by = '']) => by.split(','));
  const bare = new Set(orders.map((by) => by.trim().split(/\s/)[0]));
  return cast.filter((column) => bare.has(column));
}

test('no statement is in the order of a text that it makes of a number', () => {
  const files = globSync('server/storage/**/*.ts', { exclude: ['**/*.test.ts'] });
  const faults = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`[^`]*`/g)].flatMap(([sql]) =>
      ordersByText(sql).map((column) => `${file}: ${column}`),
    ),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

test.each([
  'SELECT xact::text AS xact, id FROM commits ORDER BY xact, id LIMIT 1000',
  'SELECT id, CAST(at AS TEXT) AS at FROM log ORDER BY id, at DESC',
])('twin: %s is found', (sql) => {
  expect(ordersByText(sql)).toHaveLength(1);
});

test.each([
  'SELECT xact::text AS xact, id FROM commits ORDER BY commits.xact, id LIMIT 1000',
  'SELECT xact::text AS number FROM commits ORDER BY xact',
])('%s is in the order of the column', (sql) => {
  expect(ordersByText(sql)).toEqual([]);
});
