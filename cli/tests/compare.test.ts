import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startConfigRouter } from '../../client/tests/support/config-router.ts';
import { TOKEN } from '../../server/tests/support/config-api.ts';
import { isWithin, rowsOf } from '../compare/counts.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-compare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function archive(name: string, lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const file = join(folder, name);
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

test('events are counted by hour and type on both sides', async () => {
  const { world, destination } = await startConfigRouter();
  const waybill = connectedTo(world.api.url, TOKEN);
  const there = [
    archive('a.jsonl', [{ type: 'track', receivedAt: '2026-11-20T14:59:59Z' }]),
    archive('b.gz', [{ type: 'page', received_at: '2026-11-20T16:00:00+01:00' }]),
  ];
  const { status, stdout } = await waybill('compare', destination, '--with', ...there, '--json');
  expect(status).toBe(1);
  expect(objectsIn(stdout)).toEqual([
    { hour: '2026-11-20T14:00Z', type: 'track', here: 0, there: 1 },
    { hour: '2026-11-20T15:00Z', type: 'page', here: 0, there: 1 },
  ]);
  const later = await waybill('compare', destination, '--with', ...there, '--from', '2026-11-20T15:00:00Z');
  expect(later.stdout).toMatch(/^HOUR .*\n2026-11-20T15:00Z {2}page {2}0 {5}1 {6}-1\nall +0 {5}1 {6}-1\n$/);
});

test.each([
  [['--with', '/none'], 'no such file'],
  [['--with', 'FILE', '--from', 'soon'], '--from "soon": give a time'],
  [['--with', 'FILE', '--tolerance', 'x'], '--tolerance "x": give a number'],
  [['--with', 'FILE'], 'a.jsonl:1 is no event'],
])('%j leaves it unknown, with exit code 2', async (flags, words) => {
  const { world, destination } = await startConfigRouter();
  const file = archive(
    'a.jsonl',
    [{ type: 'track', receivedAt: '2026-11-20T14:59:59Z' }].slice(words.includes('event') ? 1 : 0),
  );
  if (words.includes('event')) writeFileSync(file, '{"no": "event"}\n');
  const given = flags.map((flag) => (flag === 'FILE' ? file : flag));
  const { status, stderr } = await connectedTo(world.api.url, TOKEN)('compare', destination, ...given);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
});

test('the totals of each type agree within the tolerance', () => {
  const rows = rowsOf(
    new Map([
      ['h1 track', 99],
      ['h2 page', 5],
    ]),
    new Map([
      ['h1 track', 60],
      ['h2 track', 40],
      ['h2 page', 5],
    ]),
  );
  expect([0, 0.9, 1].map((percent) => isWithin(rows, percent))).toEqual([false, false, true]);
  expect(isWithin(rowsOf(new Map([['h track', 1]]), new Map()), 50)).toBe(false);
});
