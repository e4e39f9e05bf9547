import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageProblems } from '../../../client/tests/support/package-problems.ts';
import { ROOT } from '../../../scripts/generate/root.ts';
import { PARTS } from '../../../scripts/peers/sets.ts';
import { packedTestbed } from '../support/packed-testbed.ts';
import { packageOf, PEER_SETS, userProject } from '../support/user-project.ts';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

const { unpacked: packed, tarball } = packedTestbed();
const manifest: Manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));

const NEEDED = ['ajv', 'ajv-formats', 're2js', 'valibot', 'undici', 'ipaddr.js', 'picocolors', 'openapi-fetch'];
const TOOLS = ['vitest', 'msw', 'nock', 'fast-check'];

/** The types of each Vitest know the matchers, and what they take. */
const MATCHERS = `import { expect } from 'vitest';
expect([]).toHaveDelivered({ type: 'track' });
const signed: Promise<void> = expect([]).toBeSignedWith('s3cret');
// @ts-expect-error: a typing error
expect([]).toHaveDelivered({ tpye: 'track' });
await signed;
`;

const COMPILER_OPTIONS = {
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

test.each([
  ['oldest', '', 7],
  // Of the others only Vitest differs, and what the kit has for it are the matchers.
  ['vitest-4', 'integration', 1],
  ['current', '', 7],
] as const)('with the packages of the set %s the examples run and compile in a project', (set, filter, files) => {
  using project = userProject(packed, [...NEEDED, ...TOOLS, '@types/node'], set);
  for (const file of globSync('testbed/examples/*.ts', { cwd: ROOT })) {
    cpSync(join(ROOT, file), join(project.folder, file.replace('testbed/examples/', '')));
  }
  const patience = '--testTimeout=300000';
  const run = project.run('node_modules/vitest/vitest.mjs', 'run', patience, '--root', project.folder, filter);
  expect(run.output).toMatch(new RegExp(`Test Files .*${files} passed`));
  expect(run.status, run.output).toBe(0);
  writeFileSync(join(project.folder, 'matchers.ts'), MATCHERS);
  const tsconfig = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] };
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  expect(project.run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.').output).toBe('');
});

/** The endpoint of an application, built with the client. */
const ENDPOINT = `import { createServer } from 'node:http';
import { nodeWebhook } from '@waybill/client/webhooks';
const server = createServer(nodeWebhook({ secret: 's3cret', onEvent: () => undefined }));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

test.each([
  ['s3cret', 0],
  ['another', 1],
] as const)('in a project, waybill-certify with the secret %s ends with %d', async (secret, code) => {
  using project = userProject(packed, NEEDED);
  writeFileSync(join(project.folder, 'endpoint.js'), ENDPOINT);
  const endpoint = spawn(process.execPath, ['endpoint.js'], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void endpoint.kill('SIGKILL'));
  const [port]: Buffer[] = await once(endpoint.stdout, 'data');
  const url = `http://127.0.0.1:${Number(port)}/hooks`;
  const { status, output } = project.run(command('waybill-certify'), '--url', url, '--secret', secret);
  expect(status, output).toBe(code);
});

/** A program as npx would start it. */
function command(name: string): string {
  return `node_modules/@waybill/testbed/${manifest.bin[name]}`;
}

/** Bodies that nock 14 would parse, or write otherwise: JSON that is none, bytes that are no text, text that looks like hex. */
const BYTES = `import { NockEndpoint } from '@waybill/testbed/nock';
const endpoint = new NockEndpoint({ url: 'http://hooks.test/hook' });
const send = (body, type) => fetch(endpoint.url, { method: 'POST', body, headers: { 'content-type': type } });
await send('{"a": 1}', 'application/json');
await send('{"a":', 'application/json');
await send(new Uint8Array([255, 0, 254]), 'text/plain');
await send('6869', 'text/plain');
console.log(endpoint.received.map(({ body }) => Buffer.from(body).toString('latin1')).join('|'));
try {
  endpoint.setScript('header-size:10MB');
} catch (error) {
  console.log(error.message);
}
`;

test.each([
  ['oldest', /nock 14 has no header limit; use nock 15 or a receiver$/],
  ['current', /\|6869$/],
] as const)('nock of the set %s hands over the bytes of a body, and refuses what it cannot do', (set, ending) => {
  using project = userProject(packed, [...NEEDED, 'nock'], set);
  writeFileSync(join(project.folder, 'bytes.js'), BYTES);
  const { status, output } = project.run('bytes.js');
  expect(output).toContain('{"a": 1}|{"a":|\u00ff\u0000\u00fe|6869\n');
  expect(output.trimEnd()).toMatch(ending);
  expect(status).toBe(0);
});

test('each set is of other packages, and the oldest Node is the one that the manifest asks for', () => {
  expect(majorsOf('vitest')).toEqual(['3', '4', '5']);
  expect(majorsOf('msw')).toEqual(['2', '3', '3']);
  expect(majorsOf('nock')).toEqual(['14', '15', '15']);
  expect(majorsOf('jest')).toEqual(['30', '30', '30']);
  using project = userProject(packed, [], 'oldest');
  expect(manifest.engines.node).toBe(`>=${project.run('-p', 'process.versions.node').output.trim()}`);
});

test('manifest and README take peers from the oldest on that the examples were run with', () => {
  const readme = readFileSync(join(packed, 'README.md'), 'utf8');
  for (const [name, words] of [
    ['vitest', 'Vitest'],
    ['msw', 'MSW'],
    ['nock', 'nock'],
    ['jest', 'Jest'],
  ] as const) {
    const version = versionOf(packageOf('oldest', name));
    expect(manifest.peerDependencies[name]).toBe(`>=${version}`);
    expect(readme).toContain(` ${words} ${version.split('.').slice(0, 2).join('.')}`);
  }
});

function majorsOf(name: string): (string | undefined)[] {
  return PEER_SETS.map((set) => versionOf(packageOf(set, name)).split('.')[0]);
}

function versionOf(folder: string): string {
  const { version }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return version;
}

test('the main entry needs neither MSW nor nock, Vitest or fast-check', () => {
  using project = userProject(packed, NEEDED);
  const loaded = (...entries: readonly string[]) =>
    project.run('--input-type=module', '--eval', entries.map((entry) => `await import('${entry}');`).join('\n'));
  const others = [
    'audit',
    'certify',
    'certify-sender',
    'jest',
    'node-test',
    'outages',
    'receiver',
    'recordings',
    'schemes',
    'scripts',
    'vitest',
  ].map((entry) => `@waybill/testbed/${entry}`);
  // None of these packages is there for any of them.
  expect(loaded('@waybill/testbed', ...others)).toEqual({ status: 0, output: '' });
  expect(loaded('@waybill/testbed/nock').output).toContain("Cannot find package 'nock'");
  expect(loaded('@waybill/testbed/msw').output).toContain("Cannot find package 'msw'");
  expect(loaded('@waybill/testbed/contract').output).toContain("Cannot find package 'fast-check'");
});

test.each(['oldest', 'current'] as const)('each command of the package starts on the Node of the set %s', (set) => {
  using project = userProject(packed, NEEDED, set);
  const names = Object.keys(manifest.bin);
  expect(names).toEqual(['waybill-certify', 'waybill-certify-sender', 'waybill-receiver', 'waybill-simulate']);
  for (const name of names) {
    const { status, output } = project.run(`node_modules/@waybill/testbed/bin/${name}.js`, '--help');
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/^Waybill (receiver|simulation|(sender )?certificate): /),
    ]);
  }
});

test('each entry and command of the package works on the oldest Node', { tags: ['long'] }, () => {
  using project = userProject(packed, [...NEEDED, 'fast-check', 'msw', 'nock'], 'oldest');
  const programs = ['commands.ts', 'entries.ts'];
  for (const name of programs) cpSync(join(ROOT, 'scripts/peers/programs', name), join(project.folder, name));
  const all = [...Object.keys(manifest.bin), ...Object.keys(manifest.exports)].filter(
    (part) => !part.endsWith('.json'),
  );
  expect(all.toSorted()).toEqual([...PARTS].toSorted());
  // The matrix of peers runs each in a process of its own; here those are together that leave the process as it was.
  const alone = all.filter((part) => !part.startsWith('.') || part === './msw' || part === './nock');
  const results = alone.map((part) => [part, project.run(programs[part.startsWith('.') ? 1 : 0] ?? '', part).output]);
  expect(results).toEqual(alone.map((part) => [part, expect.stringMatching(/^works$/m)]));
  const together = all.filter((part) => !alone.includes(part));
  const { status, output } = project.run('entries.ts', ...together);
  expect([status, output.match(/^works$/gm)?.length, output]).toEqual([0, together.length, output]);
});

test('all that the package imports stands in its manifest, and the other way round', () => {
  const imports = globSync('**/*.js', { cwd: packed }).flatMap((file) =>
    [...readFileSync(join(packed, file), 'utf8').matchAll(/^(?:import|export)\b[^;'"]*?\bfrom '([^'.][^']*)'/gm)].map(
      ([, specifier = '']) => specifier.split('/')[0] ?? '',
    ),
  );
  const packages = new Set(imports.filter((name) => !isBuiltin(name) && !name.startsWith('node:')));
  const named = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  expect([...packages, 'expect', 'jest', 'vitest'].toSorted()).toEqual(named.toSorted());
});

test('publint and attw find nothing in the package', async () => {
  expect(await packageProblems(tarball)).toEqual([]);
});

test('no link of its pages is dead, and their commands are those of the package', () => {
  const pages = ['README.md', ...globSync('docs/*.md', { cwd: packed })];
  expect(pages).toHaveLength(4);
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(packed, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    return links.filter((link) => !/^https?:/.test(link) && !existsSync(join(packed, dirname(page), link)));
  });
  expect(dead).toEqual([]);
  for (const page of ['docs/receiver.md', 'docs/certify.md'])
    expect(readFileSync(join(packed, page), 'utf8')).not.toContain('npm run');
});
