import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const FIRST_LOAD_BYTES = 250_000;
const SCREEN_BYTES = 30_000;

/** What a browser gets before it shows anything, the font of the Latin alphabet included. */
test('the first load is at most 250 KB, compressed', () => {
  const page = readFileSync(`${DIST}index.html`, 'utf8');
  const linked = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  const font = assets().filter((file) => file.startsWith('inter-latin-wght'));
  expect(font).toHaveLength(1);
  const files = ['index.html', ...linked, ...font.map((file) => `assets/${file}`)];
  expect(sizeOf(files)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
});

test('each screen comes when it is opened, and is small', () => {
  const screens = assets().filter((file) => /-page-[^.]+\.js$/.test(file));
  expect(screens.length).toBeGreaterThanOrEqual(7);
  for (const file of screens) expect(sizeOf([`assets/${file}`]), file).toBeLessThanOrEqual(SCREEN_BYTES);
});

function assets(): string[] {
  return readdirSync(`${DIST}assets`);
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(DIST + file)).length, 0);
}

/** It comes along with a package of tests. */
test('all of the page of the receiver is at most 120 KB, compressed', () => {
  const dist = new URL('../receiver/dist/', import.meta.url);
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'));
  expect(files.filter((file) => file.endsWith('.js'))).toHaveLength(1);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0);
  expect(size).toBeLessThanOrEqual(120_000);
});
