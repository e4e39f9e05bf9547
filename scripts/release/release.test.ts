/**
 * A whole release, made elsewhere; that each package builds and works, shorter tests show.
 * @module-tag long
 */
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packedWaybill } from '../../cli/tests/support/packed-waybill.ts';
import { packedClient } from '../../client/tests/support/packed-client.ts';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { ON_DISK } from '../check/folders-in-memory.ts';
import { ROOT } from '../generate/root.ts';
import { tarballName } from './pack.ts';
import { billFor, type Manifest, PACKAGES } from './packages.ts';

const WHO = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
/** Another machine than that of the tests: another folder, other rights for new files, another zone of time, another language. */
const ELSEWHERE = {
  folder: 'another/folder with spaces',
  umask: '077',
  env: { TZ: 'Asia/Kolkata', LC_ALL: 'C.UTF-8' },
};

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(ON_DISK, 'waybill-release-test-'));
  // The sources as they are now, committed or not, as a clone that others clone.
  const source = join(place, 'source');
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 } as const;
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(source, file), { force: true });
  execFileSync('sh', ['-euc', 'git init -q && git add -A && git "$@" commit -q -m Release', 'sh', ...WHO], {
    cwd: source,
  });
  const { folder, umask, env } = ELSEWHERE;
  const script = `umask ${umask}; mkdir -p "$1" && git clone -q source "$1" && cp -al "$2/node_modules" "$1/" 2>/dev/null || cp -a "$2/node_modules" "$1/"
      for part in server client cli testbed console; do [ ! -d "$2/$part/node_modules" ] || cp -a "$2/$part/node_modules" "$1/$part/"; done
      cd "$1" && exec "$3" scripts/release.ts`;
  const made = spawnSync('sh', ['-euc', script, 'sh', folder, ROOT, process.execPath], {
    cwd: place,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  if (made.status !== 0) throw new Error(`no release was made in ${folder}:\n${made.stderr}`);
  // A whole build, on a machine that may be busy.
}, 1_800_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const released = (): string => join(place, ELSEWHERE.folder, 'release');
const nameOf = (unpacked: string): string => {
  const { name, version } = manifestIn(unpacked);
  return tarballName({ name, version }).replace('.tgz', '');
};
const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const filesIn = (folder: string): Map<string, string> =>
  new Map(
    globSync('**', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file, 'base64')]),
  );

test('a release has three packages with a bill of each, and their sums are right', () => {
  const version = versionOf('package.json');
  const packages = ['waybill', 'waybill-client', 'waybill-testbed'];
  const files = packages.flatMap((name) => [`${name}-${version}.cdx.json`, `${name}-${version}.tgz`]);
  expect(new Set(readdirSync(released()))).toEqual(new Set(['SHA256SUMS', ...files]));
  const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const [check = ''] = /^\(cd release && sha256sum .*\)$/m.exec(page) ?? [];
  const checked = spawnSync('sh', ['-euc', check], { cwd: join(place, ELSEWHERE.folder), encoding: 'utf8' });
  expect({ status: checked.status, lines: checked.stdout.trim().split('\n').length }).toEqual({ status: 0, lines: 6 });
});

// That the same files are packed into the same bytes is shown in pack.test.ts.
test.each([
  { what: 'waybill', kind: PACKAGES[0], here: packedWaybill },
  { what: 'the client', kind: PACKAGES[1], here: packedClient },
  { what: 'the testbed', kind: PACKAGES[2], here: packedTestbed },
])('what is built here and elsewhere is the same, and so is its bill of materials: $what', ({ kind, here }) => {
  const { unpacked } = here();
  const name = nameOf(unpacked);
  const tarball = join(released(), `${name}.tgz`);
  execFileSync('tar', ['-xzf', tarball, `--one-top-level=elsewhere-${name}`], { cwd: place });
  const [ours, theirs] = [filesIn(unpacked), filesIn(join(place, `elsewhere-${name}`, 'package'))];
  // It says the commit, which is not the same one.
  for (const files of [ours, theirs]) files.delete('server/package.json');
  expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
  expect([...theirs].filter(([file, bytes]) => ours.get(file) !== bytes).map(([file]) => file)).toEqual([]);
  const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: join(place, 'source'), encoding: 'utf8' });
  const at = new Date(Number(seconds) * 1_000);
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  if (kind === undefined) throw new Error('three packages are released');
  expect(billFor(kind, manifestIn(unpacked), { sha256, at })).toBe(
    readFileSync(join(released(), `${name}.cdx.json`), 'utf8'),
  );
});

test('each tarball has what npm would publish of it, and says the commit without a change', () => {
  for (const file of readdirSync(released()).filter((name) => name.endsWith('.tgz'))) {
    const list = execFileSync('tar', ['-tzf', join(released(), file)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    execFileSync('tar', ['-xzf', join(released(), file), '--one-top-level=unpacked'], { cwd: place });
    const options = { cwd: join(place, 'unpacked/package'), encoding: 'utf8', maxBuffer: 1e8 } as const;
    const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--offline'], options);
    rmSync(join(place, 'unpacked'), { recursive: true });
    const [{ files }]: [{ readonly files: readonly { readonly path: string }[] }] = JSON.parse(said);
    expect(list.map((path) => path.replace('package/', '')).toSorted()).toEqual(
      files.map(({ path }) => path).toSorted(),
    );
  }
  const tarball = join(released(), `waybill-${versionOf('package.json')}.tgz`);
  const stamp = execFileSync('tar', ['-xzOf', tarball, 'package/server/package.json'], { encoding: 'utf8' });
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: join(place, 'source'),
    encoding: 'utf8',
  });
  expect(JSON.parse(stamp)).toEqual({
    type: 'module',
    version: versionOf('server/package.json'),
    commit: commit.trim(),
  });
});

async function faultsOf(bill: string): Promise<unknown> {
  return await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bill);
}

test('each bill of materials is valid by the schema of CycloneDX, and one that is not is found', async () => {
  const bills = readdirSync(released()).filter((name) => name.endsWith('.cdx.json'));
  expect(bills).toHaveLength(3);
  for (const bill of bills) expect(await faultsOf(readFileSync(join(released(), bill), 'utf8')), bill).toBeNull();
  const text = readFileSync(join(released(), bills[0] ?? ''), 'utf8');
  expect(await faultsOf(text.replace('"type": "library"', '"type": "book"'))).not.toBeNull();
});

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly content: string }[];
  readonly licenses?: readonly unknown[];
  readonly properties?: readonly { readonly name: string }[];
}

test('the bill of the router names what is installed with it and what was built into it, each with its license', () => {
  const version = versionOf('package.json');
  const bill: Bill = JSON.parse(readFileSync(join(released(), `waybill-${version}.cdx.json`), 'utf8'));
  const sums = readFileSync(join(released(), 'SHA256SUMS'), 'utf8');
  const { component } = bill.metadata;
  expect(component).toMatchObject({ name: 'waybill', version, purl: `pkg:npm/waybill@${version}` });
  expect(sums).toContain(`${component.hashes?.[0]?.content}  waybill-${version}.tgz`);
  const named = (inside: boolean) =>
    bill.components.filter(({ properties }) => (properties !== undefined) === inside).map(({ name }) => name);
  expect(named(false)).toEqual(
    expect.arrayContaining(['koa', 'undici', 'pino', 'sonic-boom', 'commander', '@koa/router']),
  );
  expect(named(true)).toEqual(expect.arrayContaining(['react', 'react-dom', 'scheduler', 'redoc']));
  expect(named(false)).not.toContain('react');
  // Installed by who needs it.
  expect(named(false)).not.toContain('pg');
  expect(bill.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
});

test('the bill of the testbed names what was built into the page of its receiver', () => {
  const name = `waybill-testbed-${versionOf('package.json')}.cdx.json`;
  const { components }: Bill = JSON.parse(readFileSync(join(released(), name), 'utf8'));
  const inside = components.filter(({ properties }) => properties !== undefined).map((each) => each.name);
  expect(inside.toSorted()).toEqual(['openapi-fetch', 'preact']);
});

test('a clone with changes is not released, and is told why', () => {
  const clone = join(place, ELSEWHERE.folder);
  writeFileSync(join(clone, 'README.md'), 'changed');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts'], { cwd: clone, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/these files were changed: commit or stash them first\nM README\.md/);
});

function versionOf(manifest: string): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8'));
  return version;
}
