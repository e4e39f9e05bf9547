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
