import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { packageProblems } from '../../client/tests/support/package-problems.ts';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { bareEnvironment } from '../../scripts/router/bare-environment.ts';
import { installInto, manifestIn, placePeer } from './support/installed.ts';
import { packedWaybill } from './support/packed-waybill.ts';

const { tarball, unpacked } = packedWaybill();
const TOKEN = 'packed-waybill-0123456789';

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'waybill-installed-'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  installInto(project, unpacked, 'waybill');
  mkdirSync(join(project, 'node_modules/.bin'));
  symlinkSync('../waybill/bin/waybill.js', join(project, 'node_modules/.bin/waybill'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const ENVIRONMENT = bareEnvironment({});

function waybill(...args: readonly string[]) {
  return waybillOn(process.execPath, ...args);
}

function waybillOn(node: string, ...args: readonly string[]) {
  const options = { cwd: project, encoding: 'utf8', env: ENVIRONMENT } as const;
  const { status, stdout, stderr } = spawnSync(node, ['node_modules/.bin/waybill', ...args], options);
  return { status, stdout, stderr };
}

test('publint and attw find nothing', async () => {
  expect(await packageProblems(tarball)).toEqual([]);
});

test('it has at most 80 packages, itself included, and 30 MB, and none runs a script to be installed', () => {
  const manifests = globSync('node_modules/**/package.json', { cwd: project }).map((file) =>
    dirname(join(project, file)),
  );
  const packages = manifests.filter((folder) => /node_modules\/(@[^/]+\/)?[^/]+$/.test(folder));
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.length).toBeLessThanOrEqual(80);
  const files = globSync('node_modules/**/*', { cwd: project }).map((file) => statSync(join(project, file)));
  expect(files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)).toBeLessThan(30_000_000);
  const scripts = packages.flatMap((folder) =>
    Object.keys(manifestIn(folder).scripts ?? {}).map((name) => `${folder} ${name}`),
  );
  expect(scripts.filter((one) => / (pre|post)?install$/.test(one))).toEqual([]);
});

test('it depends on what its code imports, and on nothing else', () => {
  const code = globSync('{cli,client,server}/**/*.js', { cwd: unpacked }).map((file) =>
    readFileSync(join(unpacked, file), 'utf8'),
  );
  expect(packagesIn(code).toSorted()).toEqual(Object.keys(manifestIn(unpacked).dependencies ?? {}));
});

test('no source, no test and no rule id is in it', () => {
  const files = globSync('**/*', { cwd: unpacked });
  expect(files.filter((file) => /\.test\.|\/tests\/|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

/** What this code imports as it is loaded. */
function packagesIn(code: readonly string[]): string[] {
  const all = code.join('\n');
  const names = IMPORTS.flatMap((pattern) => [...all.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
}

const IMPORTS = [
  /^(?:import|\} from|export .* from) (?:[^']* from )?'((?:@[^/']+\/)?[^./'][^/']*)/gm,
  /\bcreateRequire\(import\.meta\.url\)\('((?:@[^/']+\/)?[^./'][^/']*)/g,
];

test('the licenses of what the console is built of come along', () => {
  const code = globSync('console/src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const names = packagesIn(code).filter((name) => !name.startsWith('@waybill/'));
  const licenses = readFileSync(join(unpacked, 'console/dist/licenses.md'), 'utf8');
  expect(names).toContain('react');
  expect(names.filter((name) => !licenses.includes(`## ${name} - `))).toEqual([]);
  expect(licenses).toContain('Permission is hereby granted, free of charge');
});

test('waybill --version tells the version and the commit that the package was built from', () => {
  const { version } = manifestIn(unpacked);
  const { status, stdout } = waybill('--version');
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\([0-9a-f]{12}(-dirty)?\\)\\n$`));
});

test('an older Node is refused in a sentence', () => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '22.1.0' });`;
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  const args = ['--import', url, 'node_modules/.bin/waybill', '--version'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', env: ENVIRONMENT });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^waybill needs Node 24 or newer/) });
});

test('OpenTelemetry is optional: who asks for it without its packages is told what to install', () => {
  const env = { ...ENVIRONMENT, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  const options = { cwd: project, encoding: 'utf8', env } as const;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/.bin/waybill', 'serve', '--port', '0'],
    options,
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^waybill: OTEL_\* variables ask for traces, .* run npm install (@opentelemetry\/\S+ ?)+, or set OTEL_SDK_DISABLED=true\n$/,
  );
  const named = [...stderr.matchAll(/@opentelemetry\/[a-z-]+/g)].map(([name]) => name);
  expect(Object.keys(manifestIn(unpacked).peerDependencies ?? {})).toEqual(expect.arrayContaining(named));
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifestIn(unpacked);
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
});

test('the client of PostgreSQL is optional: who names a database without it is told what to install, and with it the database is asked', () => {
  const database = ['--storage', 'postgres://waybill@127.0.0.1:1/waybill'];
  const untold = waybill('serve', '--port', '0', ...database);
  expect(untold.status).toBe(1);
  expect(untold.stderr).toMatch(/^waybill: [^\n]* run npm install pg [^\n]*\n$/);
  expect(waybill('doctor', ...database).stdout).toContain('run npm install pg');

  placePeer('pg', project);
  const asked = waybill('serve', '--port', '0', ...database);
  expect(asked.stderr).not.toContain('npm install');
  expect(asked.stderr).toContain('the database cannot be reached: 127.0.0.1:1');
});

/** From the command to the delivered event, on a busy machine as well. */
const FIRST_EVENT_MS = 20_000;

const NODES = [
  ['of this project', process.execPath],
  ['24, the oldest that it takes', join(ROOT, 'scripts/peers/node-24/node_modules/node/bin/node')],
] as const;

test.each(NODES)(
  'installed into an empty project, it serves on the Node %s, and delivers a first event within 20 seconds',
  { timeout: FIRST_EVENT_MS },
  async (which, node) => {
    const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    expect(version).toMatch(which.startsWith('24') ? /^v24\./ : process.version);
    await using opened = new AsyncDisposableStack();
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => received.push(chunk.toString('utf8'))).on('end', () => response.end());
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    opened.defer(() => receiver.close().closeAllConnections());
    const port = portOf(receiver);

    const flags = ['--port', '0', '--token', TOKEN, '--allow-networks', '127.0.0.0/8'];
    const data = mkdtempSync(join(project, 'data-'));
    const router = spawn(node, ['node_modules/.bin/waybill', 'serve', '--data-dir', data, ...flags], {
      cwd: project,
      env: ENVIRONMENT,
    });
    opened.defer(async () => {
      if (router.exitCode === null && router.kill('SIGTERM')) await once(router, 'exit');
    });
    const url = await listening(router);
    const ask = (...args: readonly string[]) => {
      const ended = waybillOn(node, ...args, '--url', url, '--token', TOKEN);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      return ended.stdout;
    };
    ask('sources', 'create', 'web');
    ask(
      'destinations',
      'create',
      'web/webhooks',
      '--enabled',
      'true',
      '--config',
      `[{name: hooks, value: [{hook: "http://127.0.0.1:${port}/"}]}]`,
    );
    ask('send', 'web', '--event', 'First');
    await expect.poll(() => received.length).toBe(1);
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ type: 'track', event: 'First' });
    for (const path of ['/console', '/docs/config-api', '/docs/waybill.schema.json'])
      expect((await fetch(url + path)).status, path).toBe(200);
  },
);

async function listening(router: ChildProcess): Promise<string> {
  if (router.stdout === null || router.stderr === null) throw new Error('the router has no output');
  let complaints = '';
  router.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')));
  for await (const line of createInterface({ input: router.stdout })) {
    const { msg, url }: { msg?: string; url?: string } = JSON.parse(line);
    if (msg === 'listening' && url !== undefined) return url;
  }
  throw new Error(`the router ended: ${complaints}`);
}
