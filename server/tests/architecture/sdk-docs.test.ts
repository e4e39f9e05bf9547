import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('ING-4: docs/sdks.md points each SDK at Waybill in one line', () => {
  const page = readFileSync(new URL('../../../docs/sdks.md', import.meta.url), 'utf8');
  const lines = [...page.matchAll(/^\| .+? \| `(.+)` \|$/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThanOrEqual(11);
  expect(lines.filter((line) => !line.includes('waybill.example.com'))).toEqual([]);
});
