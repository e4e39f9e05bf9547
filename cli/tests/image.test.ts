import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { type RouterProcess, startRouterProcess } from '../../scripts/router/router-process.ts';
import { startCollector } from '../../server/tests/support/otlp-collector.ts';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { canEnterRoots, type CleanRoot, imageSettings, makeCleanRoot } from './support/clean-root.ts';

const IMAGE = imageSettings();
const TOKEN = 'my-first-token-0123456789';

/** The router of the image, as a container of it would run, with a collector that it exports to. */
async function startContainer(root: CleanRoot, env: Readonly<Record<string, string>>): Promise<RouterProcess> {
  const command = [...IMAGE.entrypoint, ...IMAGE.command].join(' ');
  // The program and the file that are started otherwise are left out.
  const through = ['sh', '-c', `shift; exec ${root.enter} ${command} "$@"`];
  const flags = { port: '0', token: TOKEN, 'allow-networks': '127.0.0.0/8' };
  const router = await startRouterProcess(flags, { through, env: { ...IMAGE.env, ...env } });
  onTestFinished(() => router[Symbol.asyncDispose]());
  return router;
}

function run(root: CleanRoot, script: string, env: Readonly<Record<string, string>>) {
  const options = { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } } as const;
  return spawnSync('sh', ['-euc', `in_root() { ${root.enter} "$@"; }\n${script}`], options);
}

async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString('utf8'))).on('end', () => response.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  return { port: portOf(server), bodies };
}

test('the image runs as a user of its own, from a stage without anything else', () => {
  expect(IMAGE.user).toBe('65532:65532');
  expect(IMAGE.entrypoint[0]).toBe('/usr/local/bin/node');
  expect(IMAGE.healthCheck[0]).toBe('/usr/local/bin/node');
  const from = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(from).toEqual([expect.stringMatching(/^node:\d+\.\d+\.\d+-/), 'scratch']);
});

describe.runIf(canEnterRoots())('in a clean root, made as the Dockerfile makes it', () => {
  let root: CleanRoot;
  beforeAll(() => void (root = makeCleanRoot(IMAGE)));
  afterAll(() => root[Symbol.dispose]());

  test('by the commands of the page alone, a first event is delivered, and the health check tells it', async () => {
    const receiver = await startReceiver();
    await using collector = await startCollector();
    const telemetry = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
    const router = await startContainer(root, telemetry);
    const env = { ...IMAGE.env, WAYBILL_URL: router.url, WAYBILL_PORT: new URL(router.url).port };

    const page = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
    const [, commands = ''] = /<!-- install: first event -->\n```sh\n([^`]*)```/.exec(page) ?? [];
    expect(commands.match(/^waybill /gm)).toHaveLength(4);
    const alias = `waybill() { in_root ${IMAGE.entrypoint.join(' ')} "$@"; }`;
    const arrived = commands.replace('127.0.0.1:9000', `127.0.0.1:${receiver.port}`);
    const { status, stderr } = run(root, `${alias}\n${arrived}`, env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    await expect.poll(() => receiver.bodies.length).toBe(1);
    expect(JSON.parse(receiver.bodies[0] ?? '')).toMatchObject({
      event: 'Order Completed',
      properties: { total: 42.5 },
    });
    await expect.poll(() => collector.requests.map(({ path }) => path)).toContain('/v1/traces');

    const check = () => run(root, `in_root ${IMAGE.healthCheck.join(' ')}`, env).status;
    expect(check()).toBe(0);
    expect(await router.stop()).toBe(0);
    expect(check()).toBe(1);
  });

  test('there is no shell, and nothing can be written but the data', () => {
    const files = globSync('{bin,sbin,usr/bin,usr/sbin,usr/local/bin,lib*,usr/lib*}/**/*', {
      cwd: root.folder,
      withFileTypes: true,
    });
    const programs = files.filter((file) => file.isFile() && !/\.so[.\d]*$/.test(file.name)).map(({ name }) => name);
    expect(programs).toEqual(['node']);
    const script = `
      const { writeFileSync } = require('node:fs');
      const write = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
      console.log(JSON.stringify({ uid: process.getuid(), cwd: process.cwd(), app: write('/app/x'), tmp: write('/x'), data: write('/data/x') }));`;
    const { stdout, stderr } = run(root, `in_root /usr/local/bin/node -e "$SCRIPT"`, { SCRIPT: script });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ uid: 65_532, cwd: '/data', app: 'EROFS', tmp: 'EROFS', data: 'written' });
  });
});
