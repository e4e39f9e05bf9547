import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPossible } from '../../../server/tests/support/possible.ts';
import { diskStore } from '../../analytics/node/index.ts';
import { type Ended, PROGRAMS, runProgram } from '../support/analytics-program.ts';
import { type Reaction, receivingServer } from '../support/analytics-receiving-server.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-client-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ids = (first: number, count: number): string[] => Array.from({ length: count }, (_, n) => `m${first + n}`);

const threeBatches = (request: number): Reaction => (request < 3 ? 'accept' : 'stall');

async function trackAndKill(host: string, first: number, count: number): Promise<void> {
  const program = runProgram('keeping.ts', [host, folder, String(first), String(count), '{}']);
  await program.printed('tracked');
  program.child.kill('SIGKILL');
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
}

test('messages of a process that was killed are sent by the next one', async () => {
  await using deaf = await receivingServer(() => 'stall');
  await trackAndKill(deaf.url, 0, 500);
  await using server = await receivingServer();
  const { output } = await runProgram('draining.ts', [server.url, folder]).ended;
  expect(output).toContain('delivered 500');
  expect(server.accepted.map((message) => message.messageId)).toEqual(ids(0, 500));
  expect(readdirSync(folder)).toEqual(['lock.sqlite']);
});

test('messages of several killed processes are sent, in the order of their calls', async () => {
  await using deaf = await receivingServer(() => ({ status: 503 }));
  await trackAndKill(deaf.url, 0, 150);
  await trackAndKill(deaf.url, 150, 150);
  await using server = await receivingServer();
  await runProgram('draining.ts', [server.url, folder]).ended;
  expect(server.accepted.map((message) => message.messageId)).toEqual(ids(0, 300));
});

test('what was delivered before the kill is not sent again', async () => {
  await using server = await receivingServer(threeBatches);
  const program = runProgram('keeping.ts', [server.url, folder, '0', '1000', '{"uploadSize":100}']);
  await program.printed('tracked');
  await expect.poll(() => server.requests).toBe(4);
  program.child.kill('SIGKILL');
  await program.ended;
  await using next = await receivingServer();
  await runProgram('draining.ts', [next.url, folder]).ended;
  expect(server.accepted.map((message) => message.messageId)).toEqual(ids(0, 300));
  expect(next.accepted.map((message) => message.messageId)).toEqual(ids(300, 700));
});

test('without a store a killed process loses what it held', async () => {
  await using deaf = await receivingServer(() => 'stall');
  const program = runProgram('signalled.ts', [deaf.url, 'plain']);
  await program.printed('tracked');
  program.child.kill('SIGKILL');
  await program.ended;
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that is full in the middle of a message costs that message alone', () => {
  // A file of this process may have 1 KiB, which for a write is what a full disk is.
  const command = `ulimit -f 1; exec "${process.execPath}" "${PROGRAMS}full-disk.ts" "${folder}"`;
  const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  expect(stdout).toBe('taken m0,m2,m4,m6\n');
  const store = diskStore({ folder });
  expect(store.recover().map(({ messageId }) => messageId)).toEqual(['m0', 'm2', 'm4', 'm6']);
  store.close();
});

/** How the second of two programs with this folder ends. */
async function secondInFolder(within: readonly string[] = []): Promise<Ended> {
  await using deaf = await receivingServer(() => 'stall');
  const holder = runProgram('keeping.ts', [deaf.url, folder, '0', '1'], within);
  await holder.printed('tracked');
  const ended = await runProgram('draining.ts', [deaf.url, folder], within).ended;
  holder.child.kill('SIGKILL');
  await holder.ended;
  return ended;
}

const refused = () => ({
  code: 1,
  output: expect.stringContaining(`The folder ${folder} is in use by another process`) as unknown,
});

test('a folder that another process uses is refused', async () => {
  expect(await secondInFolder()).toMatchObject(refused());
});

/** A command that runs another as the first process of its own namespace, as a container does. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers = isPossible(
  spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0,
  'namespaces of users',
);

test.runIf(hasContainers)('a folder that a process of another container uses is refused', async () => {
  expect(await secondInFolder(CONTAINER)).toMatchObject(refused());
});
