import { buildConnector } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exampleOf, webhookRequest } from '../../../testbed/index.ts';
import { createAuthority } from '../../../testbed/tls/tls-fault.ts';
import { startTlsReceiver } from '../../../testbed/tls/tls-receiver.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { outcomeOf } from '../../model/outcome.ts';
import { Exchange } from '../../delivery/exchange.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import type { PostResult, Transport } from '../../ports/transport.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** Short, so that a test of a silent receiver does not take the five seconds of production. */
const DEADLINE_MS = 300;

const REQUEST = {
  workspace: 'workspaces/main',
  ...webhookRequest(exampleOf('track'), { headers: { 'X-Team': 'a' } }),
};

let transport: Transport;
beforeEach(() => {
  transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8', '::1/128']), DEADLINE_MS);
});
afterEach(() => transport.close());

function post(url: string, via = transport): Promise<PostResult> {
  return via.post({ url, ...REQUEST, deadlineMs: DEADLINE_MS }, new AbortController().signal);
}

test('HOOK-4: a POST arrives with its headers and bytes', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  const result = await post(`${receiver.url}?a=1`);
  expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: 'ok' });
  expect(receiver.received).toMatch(/^POST \/hook\?a=1 HTTP\/1\.1\r\n/);
  expect(receiver.received.toLowerCase()).toContain('content-type: application/json\r\n');
  expect(receiver.received.toLowerCase()).toContain('x-team: a\r\n');
  expect(receiver.received.endsWith(`\r\n\r\n${Buffer.from(REQUEST.body).toString('latin1')}`)).toBe(true);
});

test('connections are used again', async () => {
  await using receiver = await startRawReceiver((socket) => socket.write(OK));
  for (let i = 0; i < 20; i += 1) await post(receiver.url);
  // The pool may open a second one when it is asked before the first has been put back.
  expect(receiver.connections).toBeLessThanOrEqual(2);
});

test('D-21: a redirect is not followed', async () => {
  await using target = await startRawReceiver((socket) => socket.end(OK));
  await using receiver = await startRawReceiver((socket) =>
    socket.end(`HTTP/1.1 307 Moved\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`),
  );
  expect(outcomeOf(await post(receiver.url))).toBe('redirect_refused');
  expect(target.connections).toBe(0);
});

test('HOOK-8: silence ends as a timeout at the deadline', async () => {
  await using receiver = await startRawReceiver(() => undefined);
  expect(await post(receiver.url)).toMatchObject({ kind: 'failed', failure: 'first_byte_timeout' });
});

test('HOOK-8: a connection that comes after the deadline carries nothing of the attempt', async () => {
  await using receiver = await startRawReceiver((socket) => socket.write(OK));
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const late = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 60_000, {
    dialler: (options) => {
      const dial = buildConnector(options);
      return (target, callback) => void opened.then(() => dial(target, callback));
    },
  });
  const missed = await post(receiver.url, late);
  expect(missed).toMatchObject({ kind: 'failed', failure: 'connect_timeout' });
  open();
  await expect.poll(() => receiver.connections).toBe(1);
  // It comes after whatever the first attempt would have sent.
  expect(await post(`${receiver.url}?second`, late)).toMatchObject({ kind: 'answered' });
  expect(receiver.received.match(/^POST .*/gm)).toEqual([expect.stringMatching(/^POST \/hook\?second /)]);
  await late.close();
});

test('NODE-3: a connection that comes when the request may not leave any more carries nothing of it', async () => {
  await using receiver = await startRawReceiver((socket) => socket.write(OK));
  let mayLeave = true;
  const slow = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 60_000, {
    dialler: (options) => {
      const dial = buildConnector(options);
      return (target, callback) =>
        dial(target, (...result) => {
          mayLeave = false;
          callback(...result);
        });
    },
  });
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 60_000 };
  const kept = await slow.post({ ...request, mayLeave: () => mayLeave }, new AbortController().signal);
  expect(kept).toMatchObject({ kind: 'failed', failure: 'cancelled' });
  // It comes after whatever the first would have sent.
  expect(await slow.post({ ...request, url: `${receiver.url}?second` }, new AbortController().signal)).toMatchObject({
    kind: 'answered',
  });
  expect(receiver.received.match(/^POST .*/gm)).toEqual([expect.stringMatching(/^POST \/hook\?second /)]);
  await slow.close();
});

test('HOOK-8: the deadline ends the connection of an attempt that is not answered', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  await using receiver = await startRawReceiver((socket) => socket.on('close', () => close()));
  expect(await post(receiver.url)).toMatchObject({ kind: 'failed', failure: 'first_byte_timeout' });
  await closed;
});

test('D-31: an answered attempt has the times of all its phases', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  const { phases = {} } = await post(receiver.url);
  expect(Object.keys(phases)).toEqual(['connectMs', 'sendMs', 'waitMs', 'readMs']);
  expect(Object.values(phases).every((ms) => Number.isInteger(ms) && ms >= 0 && ms <= DEADLINE_MS)).toBe(true);
});

test('D-31: the phase that a deadline ended shows where the time went', async () => {
  await using receiver = await startRawReceiver(() => undefined);
  const { phases = {} } = await post(receiver.url);
  expect(Object.keys(phases)).toEqual(['connectMs', 'sendMs', 'waitMs']);
  expect(phases.waitMs).toBeGreaterThan(DEADLINE_MS / 2);
});

test('D-31: a refused connection got no further than connecting', async () => {
  const receiver = await startRawReceiver(() => undefined);
  await receiver[Symbol.asyncDispose]();
  const { phases = {} } = await post(receiver.url);
  expect(Object.keys(phases)).toEqual(['connectMs']);
});

test('D-24: one byte of header a time does not outlast the deadline', async () => {
  await using receiver = await startRawReceiver((socket) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('H')), 20);
  });
  expect(await post(receiver.url)).toMatchObject({ kind: 'failed' });
});

test('D-24: a status decides even when the body never ends', async () => {
  await using receiver = await startRawReceiver((socket) =>
    socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 100\r\nRetry-After: 7\r\n\r\npart'),
  );
  expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 503, retryAfter: '7', excerpt: 'part' });
});

test('D-24: a huge body is read no further than its cap', async () => {
  let written = 0;
  await using receiver = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
    };
    socket.on('drain', more);
    more();
  });
  const result = await post(receiver.url);
  expect(result).toMatchObject({ kind: 'answered', status: 200 });
  expect(result.kind === 'answered' ? result.excerpt.length : 0).toBe(1024);
  expect(written).toBeLessThan(50_000_000);
});

test('a 1xx is no answer: the final status counts', async () => {
  await using receiver = await startRawReceiver((socket) =>
    socket.end(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`),
  );
  expect(await post(receiver.url)).toMatchObject({ status: 200 });
});

test('D-21: refused, reset and malformed answers have names of their own', async () => {
  const gone = await startRawReceiver(() => undefined);
  await gone[Symbol.asyncDispose]();
  expect(await post(gone.url)).toMatchObject({ failure: 'connect_refused' });
  await using resets = await startRawReceiver((socket) => socket.resetAndDestroy());
  expect(await post(resets.url)).toMatchObject({ failure: 'reset' });
  await using babbles = await startRawReceiver((socket) => socket.end('hello\r\n\r\n'));
  expect(await post(babbles.url)).toMatchObject({ failure: 'protocol_error' });
});

test('D-21: a name that does not exist is a DNS error', async () => {
  expect(await post('http://does-not-exist.invalid/hook')).toMatchObject({ failure: 'dns_error' });
});

test('HOOK-11: a self-signed certificate ends the attempt before any request byte', async () => {
  const now = Date.now();
  await using receiver = await startTlsReceiver('self-signed', createAuthority(now), now);
  expect(await post(receiver.url)).toMatchObject({ kind: 'failed', failure: 'tls_untrusted' });
  expect(receiver.connections).toBe(1);
  expect(receiver.decrypted).toBe(0);
});

test('D-28: an address that is not public gets no packet, literal or by name', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  const strict = createUndiciTransport(createAddressGuard([]), DEADLINE_MS);
  const { port } = new URL(receiver.url);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0']) {
    const result = await post(`http://${host}:${port}/hook`, strict);
    expect(result, host).toMatchObject({ kind: 'failed', failure: 'blocked_address' });
  }
  await strict.close();
  expect(receiver.connections).toBe(0);
  expect(await post(receiver.url)).toMatchObject({ status: 200 });
});

test('an aborted attempt is cancelled at once', async () => {
  await using receiver = await startRawReceiver(() => abort.abort());
  const abort = new AbortController();
  const request = {
    workspace: 'workspaces/main',
    url: receiver.url,
    headers: {},
    body: Buffer.from('{}'),
    deadlineMs: 60_000,
  };
  expect(await transport.post(request, abort.signal)).toMatchObject({ kind: 'failed', failure: 'cancelled' });
});

test('an attempt that was aborted before it began makes no connection', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  const request = { url: receiver.url, ...REQUEST, deadlineMs: DEADLINE_MS };
  expect(await transport.post(request, AbortSignal.abort())).toMatchObject({ kind: 'failed', failure: 'cancelled' });
  expect(await post(receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.connections).toBe(1);
});

test('attempts of one signal share a listener, and are heard no more once they are over', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  const abort = new AbortController();
  const listen = vi.spyOn(abort.signal, 'addEventListener');
  const cancel = vi.spyOn(Exchange.prototype, 'cancel');
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 60_000 };
  for (let i = 0; i < 3; i += 1) await transport.post(request, abort.signal);
  abort.abort();
  expect([listen.mock.calls.length, cancel.mock.calls.length]).toEqual([1, 0]);
  cancel.mockRestore();
});

test('a transport that is closed ends what is under way', async () => {
  const asked = Promise.withResolvers<void>();
  await using receiver = await startRawReceiver(() => asked.resolve());
  const closing = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 60_000);
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 10_000 };
  const underWay = closing.post(request, new AbortController().signal);
  await asked.promise;
  await closing.close();
  expect(await underWay).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
});

/** An answer of so many bytes, nearly all of them words behind the status, which the parser does not count. */
function wordy(bytes: number): string {
  const [before, behind] = ['HTTP/1.1 200 ', '\r\nContent-Length: 0\r\n\r\n'];
  return before + 'x'.repeat(bytes - before.length - behind.length) + behind;
}

test('D-24: an answer of 256 KB is taken in, and one byte more is too much', async () => {
  let answer = wordy(256 * 1024);
  await using receiver = await startRawReceiver((socket) => socket.write(answer));
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 10_000 };
  const ask = (): Promise<PostResult> => transport.post(request, new AbortController().signal);
  expect(await ask()).toMatchObject({ kind: 'answered', status: 200 });
  answer = wordy(256 * 1024 + 1);
  expect(await ask()).toMatchObject({ kind: 'failed', detail: 'the answer is longer than 256 KB' });
});

test('SAFE-2: the parser gets 4 KB of an answer at a time, so that others get their turn', async () => {
  const pieces: number[] = [];
  await using receiver = await startRawReceiver((socket) => socket.write(wordy(100_000)));
  const watched = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), DEADLINE_MS, {
    dialler: (options) => {
      const dial = buildConnector(options);
      return (target, callback) =>
        dial(target, (...result) => {
          const [, socket] = result;
          const read = socket?.read.bind(socket);
          if (socket !== null && read !== undefined) {
            socket.read = (size) => {
              const piece: Buffer | null = read(size);
              if (piece !== null) pieces.push(piece.length);
              return piece;
            };
          }
          callback(...result);
        });
    },
  });
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 10_000 };
  expect(await watched.post(request, new AbortController().signal)).toMatchObject({ status: 200 });
  await watched.close();
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(100_000);
  expect(Math.max(...pieces)).toBe(4 * 1024);
});
