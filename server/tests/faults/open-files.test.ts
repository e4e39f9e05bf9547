import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { connectionsWithin } from '../../http/open-files.ts';
import { newFolder } from '../support/delivery-world.ts';
import { isPossible } from '../support/possible.ts';

const TOKEN = 'open-files-token-0123456789';
const FILES = 200;

function openConnection(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

test.runIf(isPossible(process.platform === 'linux', 'Linux'))(
  'SAFE-1: connections of strangers leave the files with which deliveries are sent and the configuration is written',
  async () => {
    const receiver = await createReceiver();
    onTestFinished(() => receiver.close());
    const flags = { port: '0', 'data-dir': newFolder(), token: TOKEN, 'allow-networks': '127.0.0.0/8' };
    const through = ['sh', '-c', `ulimit -n ${FILES} && exec "$0" "$@"`];
    await using router = await startRouterProcess(flags, { through });
    expect(router.written.stdout).toContain('too few files may be open for --max-connections');
    const { writeKey } = await connectWebhook(router.url, TOKEN, receiver.url);
    // One of a sender stands before the strangers come.
    const sender = openConnection(router.url);
    await once(sender, 'connect');
    const strangers = Array.from({ length: 2 * FILES }, () => openConnection(router.url));
    await expect.poll(() => strangers.filter(({ closed }) => closed).length).toBeGreaterThan(FILES);
    const body = JSON.stringify({ writeKey, userId: 'u1', event: 'Ordered' });
    sender.write(`POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await receiver.waitFor({ count: 1 });
    const token = `Authorization: Bearer ${TOKEN}`;
    const source = JSON.stringify({ source: { name: 'workspaces/main/sources/another' } });
    sender.write(
      `POST /v1beta/workspaces/main/sources HTTP/1.1\r\nHost: a\r\n${token}\r\nContent-Length: ${source.length}\r\n\r\n${source}`,
    );
    let answers = '';
    sender.on('data', (chunk) => (answers += String(chunk)));
    await expect.poll(() => answers).toContain('"write_keys"');
  },
);

test.each([
  [undefined, 10_000, 10_000],
  [1_048_576, 10_000, 10_000],
  [20_000, 10_000, 10_000],
  [4_096, 10_000, 2_048],
  [4_096, 100, 100],
])('of %s files and %i connections asked for, %i are taken', (files, asked, taken) => {
  expect(connectionsWithin(files, asked)).toBe(taken);
});
