import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle, LIMIT_BYTES } from '../support/analytics-bundle.ts';

const sizeOf = (code: string): number => gzipSync(code, { level: 9 }).length;

test('the core takes at most 8 KB of gzip in a browser bundle', async () => {
  const code = await bundle('esm');
  expect(code).toContain('x-retry-count');
  expect(sizeOf(code)).toBeLessThanOrEqual(LIMIT_BYTES);
});

test('what is not used is left out of a bundle', async () => {
  const [all, one] = await Promise.all([bundle('esm'), bundle('esm', 'HOSTS')]);
  expect(one).toContain('127.0.0.1:8080');
  expect(sizeOf(one)).toBeLessThan(500);
  expect(sizeOf(all)).toBeGreaterThan(2_000);
});
