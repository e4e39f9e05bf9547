import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HELP } from './help.ts';
import { readOptions, SIMULATE_FLAGS } from './options.ts';
import { readPolicy } from './policy-flag.ts';

const COMMAND = fileURLToPath(new URL('../simulate.ts', import.meta.url));

test('without an outage worlds are hunted through', () => {
  expect(readOptions(['--seeds', '10'])).toEqual({ mode: 'hunt', seeds: 10, from: 1 });
  expect(readOptions([])).toMatchObject({ mode: 'hunt', seeds: 1_000 });
});

test('figures of a policy are read with their units', () => {
  expect(readPolicy('first-wait=1m, park-after=3')).toEqual({ firstWaitMs: 60_000, parkAfter: 3 });
});

test.each([
  [['--outage', 'brownout'], 'did you mean brown-out?'],
  [['--outage', 'dead', '--hours', '0'], '--hours must be above 0 and at most 1000, got 0'],
  [['--outage', 'dead', '--webhooks', '6'], '--webhooks must be an integer from 1 to 5, got 6'],
  [['--outage', 'dead', '--policy', 'wait=1m'], '"wait" is no figure of a policy'],
  [['--outage', 'dead', '--against', 'first-wait=soon'], 'first-wait=soon: '],
  [['--outage', 'dead', '--policy', 'window=1s'], 'not longer than the deadline'],
  [['--seeds', '-1'], '--seeds'],
  [['--nonsense'], '--nonsense is no flag; the flags are --seeds, '],
  [['--outagee', 'dead'], 'did you mean --outage?'],
  [['--outage', 'dead', '--outage', 'brown-out'], '--outage is given twice'],
  [['--outage', 'dead', 'extra'], '"extra" belongs to no flag'],
  [['--outage'], '--outage has no value'],
  [['--hours', '4'], '--hours belongs to an outage; add --outage <name>'],
  [['--seeds', '5', '--json'], '--json belongs to an outage'],
  [['--outage', 'dead', '--seeds', '5'], '--seeds belongs to worlds of mixed faults'],
  [['--outage', 'dead', '--report', 'x.pdf'], '--report must be a file name that ends in .html or .svg, got x.pdf'],
  [
    ['--outage', 'dead', '--policy', 'first-wait=1h'],
    'the first wait is longer than the longest; give a longer max-wait as well',
  ],
])('%j is refused with what is wrong', (args, words) => {
  expect(() => readOptions(args)).toThrow(words);
});

test('the help names every flag, and fits a terminal', () => {
  expect(Object.keys(SIMULATE_FLAGS).filter((name) => !HELP.includes(`--${name}`))).toEqual([]);
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the command draws, writes its report, and exits 0', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-simulate-'));
  try {
    const report = join(folder, 'report.html');
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [COMMAND, '--outage', 'brown-out', ...args], { encoding: 'utf8' });
    const { status, stdout } = run('--against', 'park-after=3', '--report', report);
    expect(status).toBe(0);
    expect(stdout).toContain('invariants     all hold');
    expect(stdout).not.toContain('\u001B');
    expect(readFileSync(report, 'utf8').match(/<svg /g)).toHaveLength(2);
    expect(JSON.parse(run('--json', '--report', report).stdout)).toMatchObject({
      kind: 'rehearsal',
      outage: 'brown-out',
      ok: true,
    });
    expect(run('--report', join(folder, 'none', 'x.html'))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^Cannot write .*x\.html: ENOENT[^\n]*; make the folder .*none, or name another\n$/,
      ),
    });
    expect(run('--hours', 'none')).toMatchObject({ status: 2, stderr: expect.stringContaining('--hours must be') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
