import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isStale } from './architecture-page.ts';
import { notPassed, TOURS } from './stations.ts';

const WALK = fileURLToPath(new URL('../walk.ts', import.meta.url));

test('every station of the guided tours is passed, and ARCHITECTURE.md tells the same tours', () => {
  // Functions that come compiled from the cache are counted less exactly.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const { status, stderr } = spawnSync(process.execPath, [WALK, '--check'], { encoding: 'utf8', env });
  expect([status, stderr]).toEqual([0, '']);
});

test('a station that nothing passes is found', () => {
  const [first, ...others] = TOURS.track;
  expect(notPassed(TOURS.track, others)).toEqual([first]);
});

test('a page that tells another tour is found', () => {
  const parts = ['tour of a track call', 'tour of a change', 'figures'];
  expect(isStale(parts.map((name) => `<!-- ${name} -->\n\nelsewhere\n\n<!-- end -->\n`).join(''))).toBe(true);
});
