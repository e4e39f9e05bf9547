import { once } from 'node:events';
import { createServer, type RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { listen } from '../../http/listener.ts';
import { endUnread, inOrder, UNANSWERED_REQUESTS } from '../../http/connections.ts';
import { systemClock } from '../../system-clock.ts';

const GET = 'GET / HTTP/1.1\r\nHost: waybill\r\n\r\n';
/** More than the buffers of both ends take. */
const LARGE = Buffer.alloc(64 << 20);

async function connectTo(handle: RequestListener, responseTimeoutMs = 60_000): Promise<Socket> {
  const place = { host: '127.0.0.1', port: 0, maxConnections: 100, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 };
  const listener = await listen(handle, { ...place, responseTimeoutMs }, systemClock);
  onTestFinished(() => listener.close(0));
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** All that comes until it holds `text`, or the connection ends. */
async function readTo(text: string, socket: Socket): Promise<string> {
  let read = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    read += String(chunk);
    if (read.includes(text)) break;
  }
  return read;
}

test('SAFE-1: requests of one connection are handled one after another, and answered in their order', async () => {
  const running = new Set<string>();
  let most = 0;
  const socket = await connectTo((request, response) => {
    const { url = '' } = request;
    running.add(url);
    most = Math.max(most, running.size);
    setImmediate(() => {
      running.delete(url);
      response.end(`answer to ${url};`);
    });
  });
  const paths = Array.from({ length: UNANSWERED_REQUESTS }, (_, at) => `/${at}`);
  socket.write(paths.map((path) => GET.replace('/', path)).join(''));
  const answers = await readTo(`answer to ${paths.at(-1)};`, socket);
  expect([...answers.matchAll(/answer to (\/\d+);/g)].map(([, path]) => path)).toEqual(paths);
  expect(most).toBe(1);
  // The connection goes on.
  socket.write(GET);
  expect(await readTo('answer to /;', socket)).toContain('200 OK');
});

test('SAFE-1: connections that cannot be taken, however many, end none of those that are served', async () => {
  let server: unknown;
  const socket = await connectTo((request, response) => {
    server = Reflect.get(request.socket, 'server');
    response.end('served;');
  });
  for (let failed = 0; failed < 3; failed += 1) {
    socket.write(GET);
    expect(await readTo('served;', socket)).toContain('200 OK');
    if (!(server instanceof Server)) throw new Error('the socket is of no server');
    server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }));
  }
});

test('SAFE-1: a connection with too many unanswered requests is ended', async () => {
  let handled = 0;
  const socket = await connectTo(() => void (handled += 1));
  socket.resume().write(GET.repeat(UNANSWERED_REQUESTS + 1));
  await expect.poll(() => socket.closed).toBe(true);
  expect(handled).toBe(1);
});

test('SAFE-1: requests that are answered at once count as unanswered within a turn of the event loop', async () => {
  let handled = 0;
  const socket = await connectTo((request, response) => {
    handled += 1;
    request.resume();
    response.end(`number ${handled};`);
  });
  const post = GET.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}');
  socket.write(post.repeat(UNANSWERED_REQUESTS));
  expect(await readTo(`number ${UNANSWERED_REQUESTS};`, socket)).toContain('number 1;');
  socket.resume().write(post.repeat(UNANSWERED_REQUESTS + 1));
  await expect.poll(() => socket.closed).toBe(true);
  expect(handled).toBe(UNANSWERED_REQUESTS + 1);
});

test('SAFE-1: what waits on a connection that has ended is dropped', async () => {
  const handled: string[] = [];
  const turns = inOrder((request, response) => {
    handled.push(request.url ?? '');
    // Its answer is out, and the next request has the connection, before its turn ends.
    response.once('close', () => request.socket.destroy()).end();
  });
  const server = createServer(turns.take).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume().write(GET + GET.replace('/', '/second'));
  await expect.poll(() => socket.closed).toBe(true);
  await expect.poll(() => [...turns.busy()]).toEqual([]);
  expect(handled).toEqual(['/']);
});

test('SAFE-1: nothing more is read from a connection while requests wait', async () => {
  const begun = Promise.withResolvers<() => void>();
  let handled = 0;
  const socket = await connectTo((_request, response) => {
    handled += 1;
    if (handled === 1) begun.resolve(() => response.end('first'));
    else response.end(`number ${handled};`);
  });
  socket.write(GET + GET);
  const answerFirst = await begun.promise;
  // They would be too many, were they read.
  socket.write(GET.repeat(UNANSWERED_REQUESTS - 1));
  await new Promise((resolve) => setImmediate(resolve));
  answerFirst();
  expect(await readTo(`number ${UNANSWERED_REQUESTS + 1};`, socket)).toContain('first');
});

test('SAFE-1: requests behind one that closes the connection are dropped', async () => {
  let handled = 0;
  const socket = await connectTo((_request, response) => {
    handled += 1;
    response.setHeader('Connection', 'close').end('last');
  });
  socket.write(GET.repeat(3));
  expect((await readTo('nothing', socket)).match(/200 OK/g)).toHaveLength(1);
  expect(handled).toBe(1);
});

test('SAFE-1: a peer that does not read its answer is ended', async () => {
  const ended = Promise.withResolvers<boolean>();
  const socket = await connectTo((_request, response) => {
    response.once('close', () => ended.resolve(response.writableFinished)).end(LARGE);
  }, 1);
  socket.pause().write(GET);
  expect(await ended.promise).toBe(false);
});

test('SAFE-1: a peer may leave an answer unread for so long, and longer where it is large', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const ended: number[] = [];
  const busy = [0, 100, 8 << 20].map((writableLength) => ({
    writableLength,
    destroy: () => ended.push(writableLength),
  }));
  const watch = endUnread({ busy: () => busy, clock, timeoutMs: 30_000, signal: stop.signal });
  await clock.advance(31_000);
  expect(ended).toEqual([]);
  await clock.advance(2_000);
  expect(new Set(ended)).toEqual(new Set([100]));
  await clock.advance(89_000);
  expect(new Set(ended)).toEqual(new Set([100, 8 << 20]));
  stop.abort();
  await watch;
});

/** Many, and few bytes of headers together. */
const MANY = 'x:y\r\n'.repeat(2_500);

test('CFG-12: a header is seen behind thousands of others', async () => {
  const socket = await connectTo(({ headers }, response) => response.end(`${headers['if-match']};`));
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${MANY}If-Match: "tag"\r\n\r\n`);
  expect(await readTo(';', socket)).toContain('"tag";');
});

test.each([
  ['two Host headers', 'Host: a.example\r\nX: y\r\nhOST: b.example', 400, 'more than one Host header'],
  ['a second one behind a thousand others', `Host: a\r\n${MANY}Host: b`, 400, 'more than one Host header'],
  ['no Host header', 'X: y', 400, 'no Host header'],
  ['an unknown expectation', 'Host: a.example\r\nExpect: nope', 417, 'send 100-continue'],
])('a request with %s is refused in its turn, and ends its connection', async (_case, headers, status, message) => {
  const begun = Promise.withResolvers<() => void>();
  let handled = 0;
  const socket = await connectTo((_request, response) => {
    handled += 1;
    begun.resolve(() => response.end('first;'));
  });
  socket.write(`${GET}GET / HTTP/1.1\r\n${headers}\r\n\r\n${GET}`);
  const answerFirst = await begun.promise;
  answerFirst();
  const answers = await readTo('nothing', socket);
  expect(answers.split('first;')[1]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answers).toContain(message);
  expect(handled).toBe(1);
});

const H2C = 'Host: waybill\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

test.each([
  ['HTTP/1.0 without a host', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['HTTP/2 as curl offers it', `GET / HTTP/1.1\r\n${H2C}\r\n`],
  ['a body that waits for leave', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}'],
])('%s is answered, and its connection goes on', async (_case, request) => {
  let handled = 0;
  const socket = await connectTo((incoming, response) => {
    handled += 1;
    incoming.resume();
    const text = `number ${handled};`;
    response.setHeader('Content-Length', text.length).end(text);
  });
  for (let sent = 1; sent <= 3; sent += 1) {
    socket.write(request);
    expect(await readTo(`number ${sent};`, socket)).toContain('HTTP/1.1 200 OK');
  }
});
