import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { MemoryLog } from '../support/analytics-bench.ts';

/** A server that answers in its own way, and how many connections it has had. */
async function answering(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response, request)));
  const counts = { connections: 0 };
  server.on('connection', () => (counts.connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url,
    counts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes for as long as somebody reads. */
function writeOn(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, 'a');
  const more = (): void => {
    while (response.write(piece));
    response.once('drain', more);
  };
  more();
}

const held = (): number => process.memoryUsage().arrayBuffers;

/** 64 MB in 64 KB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576, 'a'));

test.each<[string, (response: ServerResponse) => void]>([
  ['has no end', writeOn],
  ['is far larger than it looks', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
])('an answer that %s costs a moment, and no memory', async (_, answer) => {
  const closed = Promise.withResolvers<void>();
  await using server = await answering((response) => {
    response.on('close', () => closed.resolve());
    answer(response);
  });
  const analytics = new Analytics('key', { host: server.url, logger: new MemoryLog() });
  const before = held();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, held())), 1);
  analytics.track('u', 'e');
  const report = await analytics.flush();
  clearInterval(watch);
  expect(report).toMatchObject({ delivered: 1 });
  expect(most - before).toBeLessThan(16 * 1_048_576);
  await closed.promise;
});

test('answers as they should be leave their connection to the next request', async () => {
  await using server = await answering((response) => void response.end('{"success":true}'));
  const analytics = new Analytics('key', { host: server.url, logger: new MemoryLog() });
  for (let count = 0; count < 20; count += 1) {
    analytics.track('u', 'e');
    expect(await analytics.flush()).toMatchObject({ delivered: 1 });
  }
  // A request that begins in the moment when the answer before it ends may take a second one.
  expect(server.counts.connections).toBeLessThan(4);
});
