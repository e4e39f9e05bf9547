import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';

const COMMAND = fileURLToPath(new URL('../waybill.ts', import.meta.url));

/** Runs `waybill` as a process whose output of one or both kinds nobody reads; answers its exit code. */
async function unread(
  url: string,
  streams: readonly ('stdout' | 'stderr')[],
  stdin: string,
  ...args: readonly string[]
) {
  const env = { PATH: process.env['PATH'], WAYBILL_URL: url, WAYBILL_TOKEN: TOKEN };
  const child = spawn(process.execPath, [COMMAND, ...args], { env });
  for (const stream of streams) child[stream].destroy();
  child.stdin.end(stdin);
  const [status] = await once(child, 'exit');
  return status;
}

const FILE = '{version: 1, workspaces: {main: {sources: {a: {}, b: {}, c: {}}}}}';

test.each([[['stderr'] as const], [['stdout', 'stderr'] as const]])(
  'a command whose %j nobody reads any more does all that it began, and its exit code says so',
  async (streams) => {
    const api = await startConfigApi();
    expect(await unread(api.url, streams, FILE, 'apply', '-f', '-', '--yes')).toBe(0);
    expect(await unread(api.url, streams, FILE, 'diff', '-f', '-')).toBe(0);
    expect(await api.ok('GET', '/workspaces/main/sources')).toMatchObject({ sources: { length: 3 } });
  },
);

test(
  'a command whose output has no room does all that it began, and then says so',
  { skip: !existsSync('/dev/full') },
  async () => {
    const api = await startConfigApi();
    const run = async (line: string, stdin: string) => {
      const env = { PATH: process.env['PATH'], WAYBILL_URL: api.url, WAYBILL_TOKEN: TOKEN };
      const child = spawn('sh', ['-c', `"$0" "$@" ${line}`, process.execPath, COMMAND, 'apply', '-f', '-', '--yes'], {
        env,
      });
      const words = text(child.stderr);
      child.stdin.end(stdin);
      const [status] = await once(child, 'exit');
      return { status, words: await words };
    };
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${index}`, {}]));
    const file = JSON.stringify({ version: 1, workspaces: { main: { sources: many } } });
    const words = expect.stringMatching(/waybill: standard output was not written to its end: ENOSPC.*\n$/);
    expect(await run('> /dev/full', file)).toEqual({ status: 1, words });
    expect(await api.ok('GET', '/workspaces/main/sources')).toMatchObject({ sources: { length: 60 } });
    expect(await run('2> /dev/full', file.replace('s0', 'more'))).toMatchObject({ status: 0 });
  },
);
