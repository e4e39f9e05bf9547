import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { rawClient, requestText } from '../support/raw-client.ts';

/** What a Node server puts on the wire, as Latin-1. */
async function wireOf(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  using client = rawClient(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
  client.send(requestText('', ['Connection: close']));
  await client.ended;
  await new Promise((resolve) => server.close(resolve));
  return client.seen();
}

// Why answers are sent without flushHeaders: a header beyond ASCII would arrive as other bytes.
test('Node flushes headers as UTF-8, and sends them as Latin-1 otherwise', async () => {
  const flushed = await wireOf((response) => {
    response.writeHead(200, { 'X-A': '\u00e4' }).flushHeaders();
    response.end('x');
  });
  const sent = await wireOf((response) => response.writeHead(200, { 'X-A': '\u00e4' }).end('x'));
  expect(flushed).toContain('X-A: \u00c3\u00a4\r\n');
  expect(sent).toContain('X-A: \u00e4\r\n');
});
