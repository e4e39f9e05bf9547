import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../command-line/certify.ts', import.meta.url));
const UNDICI = createRequire(import.meta.url).resolve('undici');

test('on a runtime whose undici sends nothing, waybill-certify names the way out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-stand-in-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const standIn = join(folder, 'stand-in.cjs');
  writeFileSync(standIn, `require(${JSON.stringify(UNDICI)}).Agent.prototype.dispatch = undefined;\n`);
  const args = ['--require', standIn, COMMAND, '--url', 'http://127.0.0.1:9/hooks', '--secret', 's3cret'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  expect([await text(child.stderr), await exit]).toEqual([expect.stringContaining('run it with Node 22 or newer'), 2]);
});
