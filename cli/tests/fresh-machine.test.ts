import { once } from 'node:events';
import { cpSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/check/free-port.ts';
import { ROOT } from '../../scripts/generate/root.ts';
import { tarballName } from '../../scripts/release/pack.ts';
import { installedWith, PACKAGES, readLock } from '../../scripts/release/packages.ts';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { canEnterRoots } from './support/clean-root.ts';
import { type FreshMachine, makeFreshMachine } from './support/fresh-machine.ts';
import { manifestIn } from './support/installed.ts';
import { packedWaybill } from './support/packed-waybill.ts';
import { startRegistry } from './support/workspace-registry.ts';

/** The oldest long-term Node that a router needs; everything else is tested with the newest. */
const OLDEST_NODE = join(ROOT, 'scripts/peers/node-24/node_modules/node/bin/node');

const PAGE = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');

/** What a reader types into one terminal. */
function commandsOf(terminal: string): readonly string[] {
  const [, block = ''] = new RegExp(`<!-- install: ${terminal} -->\\n\`\`\`sh\\n([^\`]*)\`\`\``).exec(PAGE) ?? [];
  return block.trim().split('\n');
}

/** The commands that end, and the last one, which goes on until it is stopped. */
function lastingOf(terminal: string): readonly [ending: string, lasting: string] {
  const commands = commandsOf(terminal);
  return [commands.slice(0, -1).join('\n'), `exec ${commands.at(-1)}`];
}

/** A terminal with a command that goes on; answers what it shows by now. */
function open(machine: FreshMachine, command: string, env: Readonly<Record<string, string>>): () => string {
  const terminal = machine.start(command, env);
  let output = '';
  for (const stream of [terminal.stdout, terminal.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  onTestFinished(async () => {
    if (terminal.exitCode === null && terminal.kill('SIGTERM')) await once(terminal, 'exit');
  });
  return () => output;
}

function installedPackages({ folder }: FreshMachine): string[] {
  const own = join(folder, 'usr/local/lib/node_modules/waybill/node_modules');
  const manifests = globSync('**/package.json', { cwd: own }).filter((file) =>
    /^(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file),
  );
  return manifests.map((file) => manifestIn(join(own, dirname(file)))).map(({ name, version }) => `${name}@${version}`);
}

describe.runIf(canEnterRoots())('on a machine that has Node 24 and npm alone', () => {
  let machine: FreshMachine;
  beforeAll(() => {
    machine = makeFreshMachine(OLDEST_NODE);
    const { tarball, unpacked } = packedWaybill();
    cpSync(tarball, join(machine.home, tarballName(manifestIn(unpacked))));
    const testbed = packedTestbed();
    cpSync(testbed.tarball, join(machine.home, tarballName(manifestIn(testbed.unpacked))));
  });
  afterAll(() => machine?.[Symbol.dispose]());

  test('from the tarball to a delivered event by the commands of docs/install.md alone', async () => {
    const lock = readLock();
    const [routerKind, , testbedKind] = PACKAGES;
    const needed = (
      [
        [packedWaybill(), routerKind],
        [packedTestbed(), testbedKind],
      ] as const
    ).map(([{ unpacked }, kind]) => {
      const names = Object.keys(manifestIn(unpacked).dependencies ?? {});
      return installedWith(names, kind?.parts ?? [], lock).dependencies;
    });
    await using registry = await startRegistry(needed.flat());
    const env = { npm_config_registry: registry.url, npm_config_update_notifier: 'false' };
    expect((await machine.run('node --version', env)).stdout).toMatch(/^v24\./);
    const [install, serve] = lastingOf('router');
    expect(await machine.run(install, env)).toMatchObject({ status: 0 });
    // What the bill of materials names, and nothing else.
    const named = needed[0]?.map(({ name, version }) => `${name}@${version}`) ?? [];
    expect(new Set(installedPackages(machine))).toEqual(new Set(named));

    const port = String(await freePort());
    const router = open(machine, serve, { ...env, WAYBILL_PORT: '0' });
    await expect.poll(router).toContain('"listening"');
    const url = /"url":"([^"]+)"/.exec(router())?.[1] ?? '';
    const [installKit, receive] = lastingOf('receiver');
    expect(await machine.run(installKit, env)).toMatchObject({ status: 0 });
    const receiver = open(machine, receive.replace('9000', port), env);
    await expect.poll(receiver).toContain(`:${port}`);
    const typed = await machine.run(commandsOf('first event').join('\n').replace('9000', port), {
      ...env,
      WAYBILL_URL: url,
    });
    expect(typed).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(receiver).toContain('Order Completed');
  });

  test('nothing of what was installed runs a script to be installed, and all of it is small', () => {
    const folder = join(machine.folder, 'usr/local/lib/node_modules/waybill');
    const files = globSync('**/*', { cwd: folder }).map((file) => statSync(join(folder, file)));
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)).toBeLessThan(30_000_000);
    const manifests = globSync('{node_modules/*/,node_modules/@*/*/,}package.json', { cwd: folder });
    const scripts = manifests.flatMap((file) => Object.keys(manifestIn(join(folder, file, '..')).scripts ?? {}));
    expect(scripts.filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });
});
