import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const KEEPS = fileURLToPath(new URL('compile-cache.mjs', import.meta.url));
const THREAD = `const name: string = 'thread'; setInterval(() => name, 60_000);`;
const MAIN = `import { Worker } from 'node:worker_threads';
  const thread: string = './thread.ts'; new Worker(new URL(thread, import.meta.url));`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-compiled-'));
  writeFileSync(join(folder, 'main.ts'), MAIN);
  writeFileSync(join(folder, 'thread.ts'), THREAD);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Of each file there is one without types, and one that is compiled. */
function kept(): number {
  const within = readdirSync(folder, { recursive: true, withFileTypes: true });
  return within.filter((one) => one.isFile() && one.parentPath.includes('compiled') && !one.name.includes('.')).length;
}

test('what a router and its threads are made of is compiled once, although it is killed', async () => {
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const router = spawn(process.execPath, ['--import', KEEPS, join(folder, 'main.ts')], { env });
  const ended = once(router, 'exit');
  onTestFinished(() => void router.kill('SIGKILL'));
  await expect.poll(kept, { interval: 20, timeout: 20_000 }).toBe(4);
  expect(router.exitCode).toBeNull();
  router.kill('SIGKILL');
  await ended;
});
