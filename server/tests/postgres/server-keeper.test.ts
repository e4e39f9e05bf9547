import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeWithPostgres } from '../support/postgres-place.ts';

const SERVER = fileURLToPath(new URL('../support/postgres-server.ts', import.meta.url));
const PROGRAM = `
import { startPostgres } from ${JSON.stringify(SERVER)};
const server = await startPostgres();
console.log(JSON.stringify({ folder: server.folder, pid: server.pid }));
setInterval(() => {}, 1_000_000);
`;

describeWithPostgres('the PostgreSQL server of a test run', () => {
  test('goes with whoever started it, however that ends', async () => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const { folder, pid }: { folder: string; pid: number } = JSON.parse(String(line));
    expect([existsSync(folder), isAlive(pid)]).toEqual([true, true]);
    child.kill('SIGKILL');
    await once(child, 'close');
    await expect.poll(() => [existsSync(folder), isAlive(pid)]).toEqual([false, false]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
