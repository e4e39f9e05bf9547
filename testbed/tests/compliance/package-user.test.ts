import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { afterAll, expect, test } from 'vitest';
import { buildTestbed } from '../../../scripts/build-testbed/build.ts';
import { ROOT } from '../../../scripts/generate/root.ts';
import { userProject } from '../support/user-project.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

const built = mkdtempSync(join(tmpdir(), 'waybill-testbed-'));
buildTestbed(built);
afterAll(() => rmSync(built, { recursive: true }));
const manifest: Manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));

const NEEDED = ['valibot', 'undici', 'ipaddr.js', 'picocolors', 'openapi-fetch'];
const TOOLS = ['vitest', 'msw', 'nock', 'fast-check'];

test('the examples run in a project outside of the workspace, and its types are in order', () => {
  using project = userProject(built, [...NEEDED, ...TOOLS, '@types/node']);
  for (const file of globSync('testbed/examples/*.ts', { cwd: ROOT })) {
    cpSync(join(ROOT, file), join(project.folder, file.replace('testbed/examples/', '')));
  }
  const run = project.run(join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', project.folder);
  expect(run.output).toMatch(/Test Files .*6 passed/);
  expect(run.status, run.output).toBe(0);
  const compilerOptions = {
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  expect(project.run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.').output).toBe('');
});

test('the main entry needs neither MSW nor nock, Vitest or fast-check', () => {
  using project = userProject(built, NEEDED);
  const loaded = (entry: string) => project.run('--input-type=module', '--eval', `await import('${entry}')`);
  expect(loaded('@waybill/testbed')).toEqual({ status: 0, output: '' });
  expect(loaded('@waybill/testbed/vitest')).toEqual({ status: 0, output: '' });
  expect(loaded('@waybill/testbed/nock').output).toContain("Cannot find package 'nock'");
  expect(loaded('@waybill/testbed/msw').output).toContain("Cannot find package 'msw'");
  expect(loaded('@waybill/testbed/contract').output).toContain("Cannot find package 'fast-check'");
});

test('each command of the package starts', () => {
  using project = userProject(built, NEEDED);
  const names = Object.keys(manifest.bin);
  expect(names).toEqual(['waybill-receiver', 'waybill-simulate', 'waybill-certify']);
  for (const name of names) {
    const { status, output } = project.run(`node_modules/@waybill/testbed/bin/${name}.js`, '--help');
    expect([status, output]).toEqual([0, expect.stringMatching(/^Waybill (receiver|simulation|certificate): /)]);
  }
});

test('all that the package imports stands in its manifest, and the other way round', () => {
  const imports = globSync('**/*.js', { cwd: built }).flatMap((file) =>
    [...readFileSync(join(built, file), 'utf8').matchAll(/^(?:import|export)\b[^;'"]*?\bfrom '([^'.][^']*)'/gm)].map(
      ([, specifier = '']) => specifier.split('/')[0] ?? '',
    ),
  );
  const packages = new Set(imports.filter((name) => !isBuiltin(name) && !name.startsWith('node:')));
  const named = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  expect([...packages, 'vitest'].toSorted()).toEqual(named.toSorted());
});

test('publint finds nothing in the package', async () => {
  const { messages } = await publint({ pkgDir: built, strict: true, level: 'warning' });
  expect(messages).toEqual([]);
});
