import { expect, test } from 'vitest';
import { runProgram } from '../support/analytics-program.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';

test('a process that ends sends all that it holds, and waits for no interval', async () => {
  await using server = await receivingServer();
  const { code, output } = await runProgram('natural-end.ts', [server.url, '250', '1', '{"uploadInterval":3600}'])
    .ended;
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('ended') });
  expect(server.accepted).toHaveLength(250);
});

test('twenty clients drain at the end, without a warning of the runtime', async () => {
  await using server = await receivingServer();
  const { code, output } = await runProgram('natural-end.ts', [server.url, '3', '20']).ended;
  expect(code).toBe(0);
  expect(output).not.toContain('Warning');
  expect(server.accepted).toHaveLength(60);
});

test('a retry at the end is waited for', async () => {
  await using server = await receivingServer((request) => (request === 0 ? { status: 503 } : 'accept'));
  expect(await runProgram('natural-end.ts', [server.url, '1']).ended).toMatchObject({ code: 0 });
  expect(server.accepted).toHaveLength(1);
});

test.each(['stall', { status: 503 }] as const)(
  'a server that will not take them (%j) holds no process',
  async (bad) => {
    await using server = await receivingServer(() => bad);
    const { code, output } = await runProgram('natural-end.ts', [server.url, '1', '1', '{"exitTimeoutMs":300}']).ended;
    expect(code).toBe(0);
    expect(output).toContain('1 messages were not delivered (abandoned): the process ended');
  },
);

test('exitTimeoutMs 0 lets a process end at once', async () => {
  await using server = await receivingServer();
  expect(await runProgram('natural-end.ts', [server.url, '1', '1', '{"exitTimeoutMs":0}']).ended).toMatchObject({
    code: 0,
  });
  expect(server.accepted).toHaveLength(0);
});

test.each([
  // The wait before the retry is longer than what the end of the process may wait for.
  ['a retry', { exitTimeoutMs: 1 }],
  ['a retry, where the process may end at once', { exitTimeoutMs: 0 }],
])('LIB-12: a call in syncMode is awaited over %s', async (_, options) => {
  await using server = await receivingServer((request) => (request === 0 ? { status: 503 } : 'accept'));
  const { code, output } = await runProgram('sync.ts', [server.url, '2', JSON.stringify(options)]).ended;
  expect({ code, output }).toEqual({ code: 0, output: 'delivered\ndelivered\nall settled\n' });
  expect(server.accepted).toHaveLength(2);
});

test('LIB-12: a call in syncMode is awaited over a wait that the server asks for', async () => {
  const busy = { status: 429, retryAfter: '1' };
  await using server = await receivingServer((request) => (request === 0 ? busy : 'accept'));
  const { output } = await runProgram('sync.ts', [server.url, '1', '{"exitTimeoutMs":1}']).ended;
  expect(output).toBe('delivered\nall settled\n');
});

test('SIGTERM with closeOnSignal sends all, and ends the process by the signal', async () => {
  await using server = await receivingServer();
  const program = runProgram('signalled.ts', [server.url, 'close']);
  await program.printed('tracked');
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(server.accepted).toHaveLength(1);
});

test('SIGTERM without it sends nothing', async () => {
  await using server = await receivingServer();
  const program = runProgram('signalled.ts', [server.url, 'plain']);
  await program.printed('tracked');
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ signal: 'SIGTERM' });
  expect(server.accepted).toHaveLength(0);
});

test.each(['on', 'once'])(
  'SIGTERM with closeOnSignal in a server that ends its requests first, listening with %s, loses none of their events',
  async (how) => {
    await using server = await receivingServer();
    const program = runProgram('serving.ts', [server.url, how, '20']);
    await program.printed('serving');
    program.child.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, output: expect.stringContaining('20 taken') });
    expect(server.accepted).toHaveLength(20);
  },
);
