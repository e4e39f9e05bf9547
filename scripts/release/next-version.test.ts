import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { nextVersion, withVersion } from './next-version.ts';
import { STATED_IN } from './stated-versions.ts';

interface Manifest {
  readonly name: string;
  readonly version?: string;
}

const read = (file: string, root = ROOT): string => readFileSync(join(root, file), 'utf8');
const manifestOf = (file: string, root = ROOT): Manifest => JSON.parse(read(file, root));
const MANIFESTS = globSync(['package.json', '{server,client,cli,testbed,console}/package.json'], { cwd: ROOT });
const VERSION = manifestOf('package.json').version ?? '';

/** Other versions that look alike: of stored data, of addresses, of an example. */
const OF_OTHERS =
  /^(?:CHANGELOG\.md|package-lock\.json|generated\/|openapi\/|docs\/results\/|scripts\/upgrade\/|server\/tests\/|.*captures\/)/;

/** A clone of what a version is in, with changesets. */
function newClone(changesets: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-next-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const peers = globSync('scripts/peers/*/package.json', { cwd: ROOT });
  const files = [...STATED_IN, ...peers, 'package-lock.json', 'CHANGELOG.md', '.changeset/config.json'];
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'One');
  for (const [name, text] of Object.entries(changesets)) writeFileSync(join(folder, '.changeset', `${name}.md`), text);
  return folder;
}

const changeset = (kind: string, text: string) => `---\n'@waybill/server': ${kind}\n---\n\n${text}\n`;

test('all packages have one version, and the changelog tells what is in it', () => {
  expect(MANIFESTS).toHaveLength(6);
  expect(new Set(MANIFESTS.map((file) => manifestOf(file).version))).toEqual(new Set([VERSION]));
  expect(read('CHANGELOG.md')).toContain(`\n## ${VERSION}\n`);
});

test('every package that has a version is in the one group of changesets', () => {
  const { fixed }: { readonly fixed: readonly (readonly string[])[] } = JSON.parse(read('.changeset/config.json'));
  const versioned = MANIFESTS.filter((file) => dirname(file) !== '.').map((file) => manifestOf(file).name);
  expect(fixed.map((group) => new Set(group))).toEqual([new Set(versioned)]);
});

test('the next version stands everywhere where the last one stood, and the changelog has what changed', () => {
  const text = 'Events are sent\nat once.';
  const folder = newClone({ one: changeset('patch', 'A fault is gone.'), two: changeset('minor', text) });
  const [major = '', minor = ''] = VERSION.split('.');
  const expected = `${major}.${Number(minor) + 1}.0`;
  expect(nextVersion(folder)).toBe(expected);
  for (const file of STATED_IN) expect(read(file, folder), file).toBe(withVersion(read(file), VERSION, expected));
  expect(read('CHANGELOG.md', folder)).toContain(
    `\n## ${expected}\n\n### New\n\n- Events are sent at once.\n\n### Fixed\n\n- A fault is gone.\n\n## ${VERSION}\n`,
  );
  expect(readdirSync(join(folder, '.changeset'))).toEqual(['config.json']);
  const lock: { readonly packages: Readonly<Record<string, Manifest>> } = JSON.parse(read('package-lock.json', folder));
  const own = ['', 'server', 'client', 'cli', 'testbed', 'console'].map((path) => lock.packages[path]?.version);
  expect(own).toEqual(own.map(() => expected));
  expect(globSync('*/CHANGELOG.md', { cwd: folder })).toEqual([]);
});

test('without a changeset there is no next version', () => {
  expect(() => nextVersion(newClone({}))).toThrow('No changeset waits in .changeset');
});

test('the files that state the version are known', () => {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options)
    .trim()
    .split('\n');
  const stating = files.filter(
    (file) =>
      !OF_OTHERS.test(file) && existsSync(join(ROOT, file)) && withVersion(read(file), VERSION, 'next') !== read(file),
  );
  expect(stating.toSorted()).toEqual(STATED_IN.toSorted());
});

test('a version is not found within another one', () => {
  expect(withVersion('1.2.3 v1.2.3. 11.2.3 1.2.30 1.2.3.4 kit-1.2.3.tgz', '1.2.3', '2.0.0')).toBe(
    '2.0.0 v2.0.0. 11.2.3 1.2.30 1.2.3.4 kit-2.0.0.tgz',
  );
});
