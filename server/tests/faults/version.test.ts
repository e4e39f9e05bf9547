import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';
import { commitIn, versionLine } from '../../cli/version.ts';
import manifest from '../../package.json' with { type: 'json' };
import { THIS_ROUTER } from '../../this-router.ts';

function newClone(): { readonly folder: string; readonly git: (...args: readonly string[]) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', 'file');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'One');
  return { folder, git };
}

test('a clone tells its commit, and that files were changed since', () => {
  const { folder, git } = newClone();
  const commit = git('rev-parse', '--short=12', 'HEAD');
  // A tag is no commit.
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'tag', '-a', 'v1', '-m', 'v1');
  expect(versionLine({ version: '1.2.3' }, folder)).toBe(`1.2.3 (${commit})`);
  writeFileSync(join(folder, 'file'), 'two');
  expect(versionLine({ version: '1.2.3' }, folder)).toBe(`1.2.3 (${commit}-dirty)`);
});

test('a package tells the commit that it was built from, wherever it lies', () => {
  expect(versionLine({ version: '1.2.3', commit: '0123456789ab' }, newClone().folder)).toBe('1.2.3 (0123456789ab)');
});

test('without a commit it is said that there is none: that of a clone around the package is not taken', () => {
  expect(commitIn(join(ROOT, 'server'))).toBeUndefined();
  expect(versionLine({ version: '1.2.3' }, join(ROOT, 'server'))).toMatch(/^1\.2\.3 \(commit unknown: /);
});

test('the command and the router have their version from one place', () => {
  expect(THIS_ROUTER.version).toBe(manifest.version);
  expect(versionLine().split(' ')[0]).toBe(manifest.version);
});
