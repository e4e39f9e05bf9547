import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startRegistry } from '../../../cli/tests/support/workspace-registry.ts';
import { installedWith, PACKAGES, readLock } from '../../../scripts/release/packages.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';
import { examplesOf, runnable } from '../support/docs-examples.ts';
import { packedClient } from '../support/packed-client.ts';
import { ROOT } from '../support/packed-once.ts';

const PAGES = { package: 'docs/client/package.md', node: 'docs/client/node.md' } as const;
const ROUTER = 'http://127.0.0.1:8080';

/** The commands of a page, as its reader types them. */
function commandsOf(page: string): string {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g);
  return Array.from(blocks, ([, block = '']) => block).join('\n');
}

/** A clone in which the package was built, and the folder of a project beside it. */
function newPlace(): { readonly clone: string; readonly project: string } {
  const place = mkdtempSync(join(tmpdir(), 'waybill-client-commands-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [clone, project] = [join(place, 'waybill'), join(place, 'shop')];
  mkdirSync(project);
  cpSync(packedClient().unpacked, join(clone, 'client/dist'), { recursive: true });
  // What `npm run build client` does has been done, once for all tests of the package.
  writeFileSync(join(clone, 'package.json'), '{"scripts":{"build":"test client ="}}');
  return { clone, project };
}

async function typed(commands: string, cwd: string, registry: string) {
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
  const env = bareEnvironment({ ...quiet, npm_config_registry: registry, npm_config_cache: join(cwd, '../cache') });
  const child = spawn('bash', ['-ec', commands], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code]: unknown[] = await once(child, 'close');
  return { code, output };
}

test('the commands of the client’s pages pack it, install it into an empty project, and run the first example', async () => {
  const { dependencies = {} }: { readonly dependencies?: object } = JSON.parse(
    readFileSync(join(packedClient().unpacked, 'package.json'), 'utf8'),
  );
  const { dependencies: needed } = installedWith(Object.keys(dependencies), PACKAGES[1]?.parts ?? [], readLock());
  await using registry = await startRegistry(needed);
  await using server = await receivingServer();
  const { clone, project } = newPlace();
  expect(await typed(commandsOf(PAGES.package), clone, registry.url)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/waybill-client-[\d.]+\.tgz\n$/),
  });
  expect(await typed(commandsOf(PAGES.node), project, registry.url)).toMatchObject({ code: 0 });
  const [first = ''] = examplesOf('node');
  writeFileSync(join(project, 'first.js'), runnable(first, { [ROUTER]: server.url }));
  expect(await typed('node first.js', project, registry.url)).toEqual({ code: 0, output: '' });
  expect(server.accepted.map(({ type }) => type)).toEqual(['identify', 'track']);
});

test('a command that fails is found', async () => {
  const { project } = newPlace();
  const { code, output } = await typed(commandsOf(PAGES.node), project, 'http://127.0.0.1:1');
  expect(code).not.toBe(0);
  expect(output).toContain('waybill-client');
});
