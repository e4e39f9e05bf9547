/** `commands.ts <command>`, as `entries.ts` for the commands of the package: runs it with the runtime that runs this. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BIN = join(import.meta.dirname, 'node_modules/@waybill/testbed/bin');

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  'waybill-receiver': async () => {
    const child = start('waybill-receiver', '--json', '--port', '0', '--control-port', '0', '--script', '503,200');
    assert.ok(child.stdout);
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url, control } = JSON.parse(String(line));
    const statuses = [await statusOf(url), await statusOf(url)];
    assert.deepEqual(statuses, [503, 200]);
    const { received } = Object(await (await fetch(`${control}/v1/wait?count=2`)).json());
    assert.equal(received, 2);
  },
  'waybill-certify': async () => {
    const careless = createServer((request, response) => void request.resume().once('end', () => response.end()));
    await once(careless.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${Object(careless.address()).port}/hooks`;
    const { code, output } = await ended(start('waybill-certify', '--url', url, '--secret', 's3cret'));
    careless.closeAllConnections();
    careless.close();
    assert.match(output, /A request without a signature is rejected/);
    assert.equal(code, 1);
  },
  'waybill-certify-sender': async () => {
    const trigger = `curl -s {url} -d '{"id":"{mark}"}'`;
    const flags = ['--listen', '127.0.0.1:0', '--budget', '20s', '--retry-within', '1s', '--trigger', trigger];
    const { code, output } = await ended(start('waybill-certify-sender', ...flags));
    assert.match(output, /failed/);
    assert.equal(code, 1);
  },
  'waybill-simulate': async () => {
    const { code, output } = await ended(start('waybill-simulate', '--outage', 'brown-out', '--hours', '1'));
    assert.match(output, /delivered/);
    assert.equal(code, 0);
  },
};

function start(command: string, ...flags: readonly string[]): ChildProcess {
  const runtime = 'Deno' in globalThis ? ['run', '-A'] : [];
  const file = join(BIN, `${command}.js`);
  const child = spawn(process.execPath, [...runtime, file, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess): Promise<{ code: unknown; output: string }> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url, { method: 'POST', body: '{}' })).status;
}

const [, , command = ''] = process.argv;
await CHECKS[command]?.();
console.log(CHECKS[command] === undefined ? `no check of ${command}` : 'works');
process.exit(CHECKS[command] === undefined ? 2 : 0);
