import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../waybill.ts', import.meta.url));

function complete(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'complete', ...args], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

test.each(['bash', 'zsh', 'fish'])('waybill complete %s prints a script that asks waybill', (shell) => {
  expect(complete(shell)).toContain('waybill complete --');
});

test('the script for bash is one that bash reads', () => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: complete('bash'), encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.each([
  [['des'], ['destinations']],
  [['destinations', 'ro'], ['rotate-secret']],
  [['destinations', 'update', 'a/b', '--ena'], ['--enabled']],
  [
    ['deliveries', 'list', '--state', ''],
    ['pending', 'delivered', 'expired'],
  ],
  [['serve', '--retry'], ['--retry-first-wait']],
  [['migrate', '--dr'], ['--dry-run']],
])('after %j come %j', (words, expected) => {
  const offered = complete('--', ...words)
    .split('\n')
    .map((line) => line.split('\t')[0]);
  expect(offered).toEqual(expect.arrayContaining(expected));
});
