import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './generate/root.ts';

const OWN_NODE = 'node_modules/.bin/node';
/** Tells how it was started, and ends with a code of its own. */
const PROBE = `
const [, entry, ...args] = process.argv;
const { NODE_COMPILE_CACHE: compiled } = process.env;
if (entry === import.meta.filename)
  console.log(JSON.stringify({ args, node: process.execPath, parent: process.ppid, compiled }));
process.exit(7);
`;
/** As npm would be called: it makes the project's Node out of the one that runs it. */
const NPM = `
import { appendFileSync, copyFileSync, linkSync, mkdirSync, rmSync } from 'node:fs';
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/.bin', { recursive: true });
linkSync('machine-node', '${OWN_NODE}');
mkdirSync('node_modules/vite/bin', { recursive: true });
copyFileSync('vite.mjs', 'node_modules/vite/bin/vite.js');
`;
/** As Vite would be called. */
const VITE = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('builds', process.argv.slice(2).join(' ') + '\\n');
const dist = process.argv[3] + '/dist';
mkdirSync(dist, { recursive: true });
writeFileSync(dist + '/index.html', '');
`;

/** A clone of nothing but what sets it up. Beside the Node of the project, so that hard links can be made of it. */
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(ROOT, 'node_modules/.clone-'));
  for (const folder of ['scripts', 'server']) mkdirSync(join(clone, folder));
  for (const file of ['run.mjs', 'set-up.mjs', 'build-console.mjs', 'compile-cache.mjs'])
    copyFileSync(join(ROOT, 'scripts', file), join(clone, 'scripts', file));
  const shared = ['live', 'shell', 'styles', 'ui'].map((part) => `console/src/${part}`);
  for (const folder of ['console/receiver', ...shared, 'client/config'])
    mkdirSync(join(clone, folder), { recursive: true });
  const files = {
    'package-lock.json': '{}',
    'console/main.tsx': '',
    'console/receiver/main.tsx': '',
    'client/config/index.ts': '',
    'probe.mjs': PROBE,
    'scripts/demo.ts': PROBE,
    'scripts/probe.mjs': PROBE,
    'server/probe.mjs': PROBE,
    'npm.mjs': NPM,
    'vite.mjs': VITE,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(clone, file), text);
  linkSync(realpathSync(process.execPath), join(clone, 'machine-node'));
});
afterEach(() => rmSync(clone, { recursive: true }));

function run(node: string, ...args: readonly string[]) {
  const env = { PATH: '/nowhere', npm_execpath: join(clone, 'npm.mjs') };
  const options = { cwd: clone, env, encoding: 'utf8' } as const;
  return spawnSync(join(clone, node), ['scripts/run.mjs', ...args], options);
}

const npmCalls = (): number => lines('npm-calls');
/** What npm was told of the packages for developers, call by call. */
const toolsAsked = (): unknown =>
  readFileSync(join(clone, 'npm-calls'), 'utf8').match(/(?<=--)(omit|include)(?==dev)/g);
const lines = (file: string): number => readFileSync(join(clone, file), 'utf8').split('\n').length - 1;

test('a fresh clone is set up once, and the file runs with the Node of the project', () => {
  const first = run('machine-node', 'probe.mjs', 'a', '-b');
  expect(first.stderr).toContain('Setting Waybill up');
  expect(first.status).toBe(7);
  expect(JSON.parse(first.stdout)).toMatchObject({ args: ['a', '-b'], node: join(clone, OWN_NODE) });
  expect(run('machine-node', 'probe.mjs').stderr).toBe('');
  expect(npmCalls()).toBe(1);
});

test('a changed package-lock.json sets up again', () => {
  run('machine-node', 'probe.mjs');
  writeFileSync(join(clone, 'package-lock.json'), '{"changed": true}');
  const { status, stdout } = run(OWN_NODE, 'probe.mjs');
  // In a new process: the Node may be a newer one.
  expect(JSON.parse(stdout)).not.toMatchObject({ parent: process.pid });
  expect(status).toBe(7);
  expect(npmCalls()).toBe(2);
});

test('what users start is set up without the tools of developers, which a script gets, and which stay then', () => {
  run('machine-node', 'server/probe.mjs');
  run(OWN_NODE, 'scripts/demo.ts');
  expect(toolsAsked()).toEqual(['omit']);
  expect(run(OWN_NODE, 'scripts/probe.mjs').status).toBe(7);
  run(OWN_NODE, 'server/probe.mjs');
  expect(toolsAsked()).toEqual(['omit', 'include']);
  writeFileSync(join(clone, 'package-lock.json'), '{"changed": true}');
  run(OWN_NODE, 'server/probe.mjs');
  expect(toolsAsked()).toEqual(['omit', 'include', 'include']);
});

test('with the Node of the project a file runs in the same process', () => {
  run('machine-node', 'probe.mjs');
  const { status, stdout } = run(OWN_NODE, 'probe.mjs', 'a');
  expect(JSON.parse(stdout)).toMatchObject({ args: ['a'], parent: process.pid });
  expect(status).toBe(7);
});

test('what users start keeps what is compiled of it, and has what was compiled before', () => {
  run('machine-node', 'server/probe.mjs');
  // In the same folder as what tests start (`vitest.config.ts`): of both, neither compiles anew what the other has.
  const compiled = join(clone, relative(ROOT, String(process.env['NODE_COMPILE_CACHE'])));
  expect(JSON.parse(run(OWN_NODE, 'server/probe.mjs').stdout)).toMatchObject({ compiled });
  expect(readdirSync(compiled)).toHaveLength(1);
  expect(JSON.parse(run(OWN_NODE, 'scripts/probe.mjs').stdout)).not.toHaveProperty('compiled');
});

test('a set-up that fails says so, and runs nothing', () => {
  writeFileSync(join(clone, 'npm.mjs'), 'process.exit(1);');
  const { status, stdout, stderr } = run('machine-node', 'probe.mjs');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('Set-up failed');
});

test.each([
  ['console/main.tsx', ['console']],
  ['console/receiver/main.tsx', ['page of the receiver']],
  ['client/config/index.ts', ['console', 'page of the receiver']],
] as const)('the pages are built once, and again after a change of %s', (file, titles) => {
  expect(run('machine-node', 'probe.mjs').stderr.match(/Building the/g)).toHaveLength(2);
  expect(run(OWN_NODE, 'probe.mjs').stderr).toBe('');
  expect(lines('builds')).toBe(2);
  writeFileSync(join(clone, file), '// changed');
  const built = [...run(OWN_NODE, 'probe.mjs').stderr.matchAll(/Building the (.+?) \(/g)].map(([, title]) => title);
  expect(built).toEqual(titles);
});

test('a console that cannot be built is told of, and the file runs', () => {
  writeFileSync(join(clone, 'vite.mjs'), 'process.exit(1);');
  const { status, stderr } = run('machine-node', 'probe.mjs');
  expect(status).toBe(7);
  expect(stderr).toContain('The console was not built');
});
