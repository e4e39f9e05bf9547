import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { runReceiver, urlOf } from '../support/command.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const FILE = new URL('../../examples/compose.yaml', import.meta.url);

test('the receiver of the compose file starts with its flags, and answers as its script says', async () => {
  const { receiver } = parse(readFileSync(FILE, 'utf8')).services;
  expect(receiver).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  // Nobody else on the network gets at what tests send.
  expect(receiver.ports).toEqual(['127.0.0.1:9000:9000', '127.0.0.1:9001:9002']);
  expect(receiver).not.toHaveProperty('network_mode');
  expect(receiver.image).toMatch(/^node:\d+\.\d+/);
  const [program, , from, name, ...flags]: string[] = receiver.command;
  expect([program, from, name]).toEqual(['npx', '--package=/waybill-testbed.tgz', 'waybill-receiver']);
  // What is mounted is what npm packs under the present version, or what a variable names.
  const [, tarball] = /^\$\{WAYBILL_TESTBED:-\.\/(.*)\}:\/waybill-testbed\.tgz:ro$/.exec(receiver.volumes[0]) ?? [];
  expect(tarball).toBe(`waybill-testbed-${version}.tgz`);
  // In a container what is published comes from outside.
  expect(flags).toContain('--host=0.0.0.0');
  const free = flags.map((flag) => flag.replace(/(?<=port=)\d+/, '0'));
  await using command = runReceiver(...free);
  const url = await urlOf(command);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status);
  expect(statuses).toEqual([503, 503, 200]);
});

test('the control API is asked through the published port of the compose file', async () => {
  const { receiver, control } = parse(readFileSync(FILE, 'utf8')).services;
  expect(control).toMatchObject({ image: receiver.image, network_mode: 'service:receiver', read_only: true });
  const [program, flag, code, from, to]: string[] = control.command;
  expect([program, flag, from, to]).toEqual(['node', '-e', '9002', '9001']);
  await using command = runReceiver('--port', '0', '--control-port', '0', '--json');
  const [, listening] = await command.until(/"control":"http:\/\/127\.0\.0\.1:(\d+)/);
  const child = spawn(process.execPath, ['-e', code ?? '', '0', listening ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const published = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  const answer = await fetch(`http://127.0.0.1:${String(published)}/v1/receiver`);
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ url: await urlOf(command) })]);
});
