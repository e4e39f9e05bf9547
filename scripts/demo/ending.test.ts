import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const DEMO = fileURLToPath(new URL('../demo.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waybill-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Ending = (child: ReturnType<typeof start>) => void;

function start() {
  return spawn(process.execPath, [DEMO], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
}

test.each<[string, Ending]>([
  ['nobody reads any more', (child) => child.stdout.destroy()],
  ['it is told to end', (child) => child.kill('SIGTERM')],
])('the demo leaves no router and no folder behind when %s', async (_when, end) => {
  const child = start();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(/http:[\w/.:]+/.exec(line)?.[0] ?? ''));
  });
  // The router answers before, so that its silence afterwards says something.
  expect((await fetch(url)).status).toBeGreaterThan(0);
  end(child);
  expect(await exited).toBe(1);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(readdirSync(folder)).toEqual([]);
});
