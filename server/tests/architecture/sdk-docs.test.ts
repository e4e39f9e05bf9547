import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** From the name of each SDK to the line that points it at Waybill, as a page says it. */
function linesOf(page: string): Map<string, string> {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (.+?) \| `(.+?)` \|/gm)].filter(([row]) => row.includes('waybill.example.com'));
  return new Map(rows.map(([, name = '', line = '']) => [name, line]));
}

test('ING-4: the README points each SDK at Waybill in one line, as docs/sdks.md does', () => {
  const [short, long] = [linesOf('README.md'), linesOf('docs/sdks.md')];
  expect([...short]).toEqual([...long]);
  expect(short.size).toBeGreaterThanOrEqual(11);
});
