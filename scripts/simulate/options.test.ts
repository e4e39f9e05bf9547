import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
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
  [['--outage', 'dead', '--hours', '0'], '--hours 0 cannot be'],
  [['--outage', 'dead', '--webhooks', '6'], '--webhooks 6 cannot be; give a whole number from 1 to 5'],
  [['--outage', 'dead', '--policy', 'wait=1m'], '"wait" is no figure of a policy'],
  [['--outage', 'dead', '--against', 'first-wait=soon'], 'first-wait=soon: '],
  [['--outage', 'dead', '--policy', 'window=1s'], 'not longer than the deadline'],
  [['--seeds', '-1'], '--seeds'],
  [['--nonsense'], '--nonsense'],
])('%j is refused with what is wrong', (args, words) => {
  expect(() => readOptions(args)).toThrow(words);
});

test('the command draws, writes its report, and exits 0', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-simulate-'));
  try {
    const report = join(folder, 'report.html');
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [COMMAND, '--outage', 'brown-out', '--report', report, ...args], {
        encoding: 'utf8',
      });
    const { status, stdout } = run('--against', 'park-after=3');
    expect(status).toBe(0);
    expect(stdout).toContain('invariants     all hold');
    expect(stdout).not.toContain('\u001B');
    expect(readFileSync(report, 'utf8').match(/<svg /g)).toHaveLength(2);
    expect(JSON.parse(run('--json').stdout)).toMatchObject({ kind: 'rehearsal', outage: 'brown-out', ok: true });
    expect(run('--report', join(folder, 'none', 'x.html'))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Cannot write .*x\.html: ENOENT[^\n]*\n$/),
    });
    expect(run('--hours', 'none')).toMatchObject({ status: 2, stderr: expect.stringContaining('--hours none') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
