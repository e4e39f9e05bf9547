import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startConfigRouter } from '../../client/tests/support/config-router.ts';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { TOKEN } from '../../server/tests/support/config-api.ts';
import { isWithin, type Row } from '../compare/counts.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-compare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function archive(name: string, lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

/** As a copy that was interrupted. */
function cut(file: string): string {
  truncateSync(file, 50);
  return file;
}

/** As one that was unpacked, and kept its name. */
function plain(file: string): string {
  writeFileSync(file, JSON.stringify(track('2026-11-20T14:59:59Z')));
  return file;
}

const HOUR = 3_600_000;
const at = (time: string): number => Date.parse(time);

const counted = (source: string, time: string, what: string, count: number) => ({
  of: `workspaces/main/sources/${source}`,
  hour: at(time),
  what,
  count,
});

/** Two sources without destinations, of which the router counted these. */
async function twoSources() {
  const { world } = await startConfigRouter();
  for (const source of ['web', 'app'])
    await world.api.ok('POST', '/workspaces/main/sources', { source: named(source) });
  await world.store.addCounts([
    counted('web', '2026-11-20T14:00:00Z', 'accepted:track', 2),
    counted('web', '2026-11-20T15:00:00Z', 'accepted:page', 1),
    counted('app', '2026-11-20T14:00:00Z', 'accepted:track', 1),
    counted('app', '2026-11-20T18:00:00Z', 'accepted:track', 7),
  ]);
  return connectedTo(world.api.url, TOKEN);
}

const named = (source: string) => ({ name: `workspaces/main/sources/${source}` });
const track = (receivedAt: string) => ({ type: 'track', receivedAt });

test('several sources are counted by source, type and hour on both sides, and a loss is shown where it happened', async () => {
  const waybill = await twoSources();
  archive('web/2026/a.gz', [track('2026-11-20T14:59:59Z'), track('2026-11-20T14:00:00Z')]);
  archive('web/b.jsonl', [{ type: 'page', received_at: '2026-11-20T16:00:00+01:00' }]);
  const app = archive('app.jsonl', [track('2026-11-20T14:10:00Z'), track('2026-11-20T14:20:00Z')]);
  const pairs = [`web=${join(folder, 'web')}`, `workspaces/main/sources/app=${app}`];
  const { status, stdout } = await waybill('compare', ...pairs, '--json');
  expect(status).toBe(1);
  const [web, app1] = ['web', 'workspaces/main/sources/app'];
  expect(objectsIn(stdout)).toEqual([
    { source: web, hour: '2026-11-20T14:00Z', type: 'track', here: 2, there: 2 },
    { source: web, hour: '2026-11-20T15:00Z', type: 'page', here: 1, there: 1 },
    { source: app1, hour: '2026-11-20T14:00Z', type: 'track', here: 1, there: 2 },
  ]);
  const shown = await waybill('compare', `web=${join(folder, 'web')}`, `app=${app}`);
  expect(shown.stdout.replaceAll(/ {2,}/g, '  ').trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^SOURCE {2}HOUR {2}TYPE {2}HERE {2}THERE {2}DIFFERENCE/),
    expect.stringMatching(/^web {2}2026-11-20T14:00Z {2}track {2}2 {2}2/),
    expect.stringMatching(/^web {2}2026-11-20T15:00Z {2}page {2}1 {2}1/),
    expect.stringMatching(/^web {2}all {2}3 {2}3/),
    'app  2026-11-20T14:00Z  track  1  2  -1',
    'app  all  1  2  -1',
    'all  4  5  -1',
  ]);
  expect((await waybill('compare', ...pairs, '--tolerance', '50')).status).toBe(0);
  const earlier = await waybill('compare', ...pairs, '--to', '2026-11-20T14:00:00Z', '--from', '2026-11-20T13:00:00Z');
  expect(earlier).toMatchObject({ status: 0, stdout: expect.stringMatching(/\nall +0 +0\s*$/) });
  const all = await waybill('compare', `app=${app}`, '--to', '2026-11-20T19:00:00Z', '--json');
  expect(objectsIn(all.stdout)).toContainEqual({
    source: 'app',
    hour: '2026-11-20T18:00Z',
    type: 'track',
    here: 7,
    there: 0,
  });
});

test('a file that a link leads to is counted, and no link is passed over without a word', async () => {
  const waybill = await twoSources();
  const elsewhere = archive('other-disk/a.jsonl', [track('2026-11-20T14:10:00Z')]);
  archive('app/.hidden', [{ no: 'event' }]);
  symlinkSync(elsewhere, join(folder, 'app/a.jsonl'));
  const told = await waybill('compare', `app=${join(folder, 'app')}`, '--json');
  expect(objectsIn(told.stdout)).toMatchObject([{ source: 'app', here: 1, there: 1 }]);
  for (const [target, words] of [
    [dirname(elsewhere), 'is a link to a folder: give that folder'],
    ['/none', 'ENOENT'],
  ] as const) {
    symlinkSync(target, join(folder, 'app/link'));
    const refused = await waybill('compare', `app=${join(folder, 'app')}`);
    expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(words) });
    rmSync(join(folder, 'app/link'));
  }
});

test('what real sources sent is counted, without destinations, and also after a restart', async () => {
  const token = 'command-line-compare-0123456789';
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  // The hour may end meanwhile.
  const [from = '', to = ''] = [hour, hour + 3 * HOUR].map((time) => new Date(time).toISOString());
  const settings = { port: '0', 'data-dir': join(folder, 'data'), token };
  const sent: object[] = [];
  const compare = async (url: string) => {
    const files = [archive('a.jsonl', sent), archive('b.jsonl', sent.slice(1))];
    return await connectedTo(url, token)('compare', `a=${files[0]}`, `b=${files[1]}`, '--from', from, '--to', to);
  };
  {
    await using router = await startRouterProcess(settings);
    const waybill = connectedTo(router.url, token);
    for (const source of ['a', 'b']) {
      await waybill('sources', 'create', source);
      for (const type of source === 'a' ? ['page', 'track'] : ['track']) {
        const flags = type === 'page' ? ['--type', 'page'] : ['--event', 'Seen'];
        expect(await waybill('send', source, ...flags)).toMatchObject({ status: 0 });
        if (source === 'a') sent.push({ type, receivedAt: new Date().toISOString() });
      }
    }
    await expect.poll(async () => (await compare(router.url)).status, { timeout: 20_000 }).toBe(0);
  }
  await using router = await startRouterProcess(settings);
  expect(await compare(router.url)).toMatchObject({ status: 0 });
  sent.push({ type: 'track', receivedAt: sent.map((event) => Object.values(event)[1]).at(-1) });
  expect(await compare(router.url)).toMatchObject({ status: 1, stdout: expect.stringMatching(/\nall +3 +5 +-2\n$/) });
});

test.each([
  ['web=/none', [], 'no such file'],
  ['web', [], '"web": give a source and its archive'],
  ['web=FILE', ['--from', 'soon'], '--from "soon": give a full hour'],
  ['web=FILE', ['--to', '2026-11-20T14:30:00Z'], 'give a full hour'],
  ['web=FILE', ['--to', '+275760-09-13T00:00:00Z'], 'give a full hour'],
  ['web=FILE', ['--from', '-271821-04-20T00:00:00Z', '--to', '-271821-04-21T00:00:00Z'], 'give a full hour'],
  ['web=FILE', ['--tolerance', 'x'], '--tolerance "x": give a number'],
  ['web=FILE', ['--from', '2026-11-21T14:00:00Z'], 'hold no events of that time'],
  ['nobody=FILE', [], 'nobody'],
  ['a/b=FILE', [], '"a/b" is not a name of the form <source>'],
  ['web=BAD', [], 'bad.jsonl:1 is no event'],
  ['web=UNTIMED', [], 'untimed.jsonl:1 is no event'],
  ['web=LATE', [], 'late.jsonl:1 is no event'],
  ['web=LAST', [], 'InvalidArgument'],
  ['web=CUT', [], 'cut.gz cannot be read to its end: unexpected end of file'],
  ['web=PLAIN', [], 'plain.gz cannot be read to its end: incorrect header check'],
])('%s %j leaves it unknown, with exit code 2', async (pair, flags, words) => {
  const waybill = await twoSources();
  const files = {
    FILE: archive('a.jsonl', [track('2026-11-20T14:59:59Z')]),
    BAD: archive('bad.jsonl', [{ no: 'event' }]),
    UNTIMED: archive('untimed.jsonl', [track('soon')]),
    LATE: archive('late.jsonl', [track('+275760-09-13T00:00:00Z')]),
    LAST: archive('last.jsonl', [track('9999-12-31T23:59:59Z')]),
    CUT: cut(archive('cut.gz', Array<object>(1_000).fill(track('2026-11-20T14:59:59Z')))),
    PLAIN: plain(archive('plain.gz', [])),
  };
  const given = Object.entries(files).reduce((text, [name, file]) => text.replace(`=${name}`, `=${file}`), pair);
  const { status, stderr, stdout } = await waybill('compare', given, ...flags);
  expect(status).toBe(2);
  expect(stderr).toContain(words);
  expect(stdout).toBe('');
});

const row = (source: string, type: string, here: number, there: number): Row => ({
  source,
  hour: new Date(HOUR).toISOString(),
  type,
  here,
  there,
});

test('the totals of each source and type agree within the tolerance', () => {
  const rows = [row('a', 'track', 99, 60), row('a', 'track', 0, 40), row('a', 'page', 5, 5)];
  expect([0, 0.9, 1].map((percent) => isWithin(rows, percent))).toEqual([false, false, true]);
  // What one source lost is not made up for by another.
  expect(isWithin([row('a', 'track', 5, 4), row('b', 'track', 4, 5)], 10)).toBe(false);
  expect(isWithin([row('a', 'track', 1, 0)], 50)).toBe(false);
});
