import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type ListenOptions } from '../../http/listener.ts';
import { systemClock } from '../../system-clock.ts';

const PATIENT: ListenOptions = {
  host: '127.0.0.1',
  port: 0,
  maxConnections: 100,
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  responseTimeoutMs: 60_000,
};

/** A listener that answers `read` once it has a whole body, and the way to a socket of it. */
async function startListener(options: Partial<ListenOptions>): Promise<() => Promise<Socket>> {
  const listener = await listen(
    (request, response) => void request.resume().on('end', () => response.end('read')),
    {
      ...PATIENT,
      ...options,
    },
    systemClock,
  );
  onTestFinished(() => listener.close(0));
  return async () => {
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
}

/** All that comes until the other side ends the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** What an answer says when it ends the connection with a failure that SDKs can read; else the answer itself. */
function refusalIn(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const failure: { error?: unknown; code?: unknown; message?: unknown } = JSON.parse(body);
  const isReadable = failure.code === 3 && typeof failure.error === 'string' && failure.message === failure.error;
  const [, status] = /^HTTP\/1\.1 (.+)\r\nConnection: close\r\n/.exec(head) ?? [];
  return isReadable && status !== undefined ? status : answer;
}

test('a connection on which nothing is sent is ended with 408', async () => {
  const open = await startListener({ headersTimeoutMs: 100 });
  expect(refusalIn(await readToEnd(await open()))).toBe('408 Request Timeout');
});

test('headers that never end are ended with 408', async () => {
  const open = await startListener({ headersTimeoutMs: 100 });
  const socket = await open();
  socket.write('POST / HTTP/1.1\r\nHost: waybill\r\nX-Slow: ');
  expect(refusalIn(await readToEnd(socket))).toBe('408 Request Timeout');
});

test('a body that comes byte by byte is ended with 408', async () => {
  const open = await startListener({ requestTimeoutMs: 300 });
  const socket = await open();
  socket.write('POST / HTTP/1.1\r\nHost: waybill\r\nContent-Length: 1000\r\n\r\n');
  const stop = new AbortController();
  const sending = (async () => {
    for await (const _ of every(20, undefined, { signal: stop.signal })) socket.write('x');
  })().catch(() => {});
  socket.on('error', () => {});
  expect(refusalIn(await readToEnd(socket))).toBe('408 Request Timeout');
  stop.abort();
  await sending;
});

test('a connection that waits for its next request is kept', async () => {
  const open = await startListener({ headersTimeoutMs: 100, requestTimeoutMs: 100 });
  const socket = await open();
  const answered = once(socket, 'data');
  socket.write('POST / HTTP/1.1\r\nHost: waybill\r\nContent-Length: 1\r\n\r\nx');
  const [answer]: unknown[] = await answered;
  expect(String(answer)).toContain('Keep-Alive: timeout=75');
  // The connection that says nothing is ended by the same check, which has then passed this one over.
  await readToEnd(await open());
  const again = once(socket, 'data');
  socket.write('POST / HTTP/1.1\r\nHost: waybill\r\nContent-Length: 1\r\n\r\nx');
  expect(String((await again)[0])).toContain('200 OK');
});

test('connections beyond the limit are closed, and room is given again', async () => {
  const open = await startListener({ maxConnections: 1 });
  const first = await open();
  expect(await readToEnd(await open())).toBe('');
  first.write('POST / HTTP/1.1\r\nHost: waybill\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx');
  expect(await readToEnd(first)).toContain('200 OK');
  const next = await open();
  next.write('POST / HTTP/1.1\r\nHost: waybill\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx');
  expect(await readToEnd(next)).toContain('200 OK');
});

test.each([
  ['what is no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
  ['headers without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400 Bad Request'],
])('%s is refused in JSON', async (_case, sent, status) => {
  const open = await startListener({});
  const socket = await open();
  socket.write(sent);
  expect(refusalIn(await readToEnd(socket))).toBe(status);
});
