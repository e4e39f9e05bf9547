import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { receivingServer } from '../support/analytics-receiving-server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/client/node.md'), 'utf8');
const EXAMPLES = Array.from(PAGE.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);

/** Runs an example as its reader would, but against the given router, and with its files in a folder of its own. */
async function run(example: string, url: string): Promise<{ readonly code: number | null; readonly errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-docs-'));
  const code = example.replaceAll('http://127.0.0.1:8080', url).replaceAll('./analytics-queue', folder);
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-'], { cwd: ROOT });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.resume();
  child.stdin.end(code);
  await once(child, 'close');
  rmSync(folder, { recursive: true, force: true });
  return { code: child.exitCode, errors };
}

test('the page has an example of each kind', () => {
  expect(EXAMPLES).toHaveLength(7);
});

test.each(EXAMPLES.map((code, at) => [at + 1, code] as const))(
  'example %i of the Node page delivers',
  async (_, code) => {
    await using server = await receivingServer();
    expect(await run(code, server.url)).toEqual({ code: 0, errors: '' });
    expect(server.accepted.length).toBeGreaterThan(0);
  },
);
