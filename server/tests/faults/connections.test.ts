import { Client, errors } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exampleOf, webhookRequest } from '../../../testbed/index.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { type Connection, Connections } from '../../delivery/connections.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import type { Resolver } from '../../ports/resolver.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

const [A, B] = ['workspaces/a', 'workspaces/b'];

const URL_OF_ORIGIN = new URL('http://origin.test');

/** Connections that are opened and closed by hand. */
class Opened {
  readonly connections: Connections;
  readonly #open = new Set<Client>();

  constructor(most?: number) {
    this.connections = new Connections(() => (origin) => this.#newClient(origin), most);
  }

  #newClient(origin: string): Client {
    const client = new Client(`http://${origin}.test`);
    const stats = { pending: 0, running: 0, size: 0 };
    vi.spyOn(client, 'stats', 'get').mockImplementation(() => ({ ...stats, connected: this.#open.has(client) }));
    return client;
  }

  begin(origin: string, workspace = A): Connection {
    return this.connections.take(workspace, origin);
  }

  open({ client }: Connection): void {
    this.#open.add(client);
    client.emit('connect', URL_OF_ORIGIN, [client]);
  }

  closed({ client }: Connection): void {
    this.#open.delete(client);
    client.emit('disconnect', URL_OF_ORIGIN, [client], new errors.SocketError('closed'));
  }

  /** A request to an origin that ends; answers whether its connection stays. */
  ask(origin: string, workspace = A): boolean {
    const connection = this.begin(origin, workspace);
    const stays = this.connections.stays(connection);
    if (connection.openedAt === undefined) this.open(connection);
    if (!stays) this.closed(connection);
    this.connections.release(connection);
    return stays;
  }
}

test('SAFE-1: connections stay open up to the most, and those of further origins do not', () => {
  const opened = new Opened(3);
  expect(['a', 'b', 'c', 'd', 'e'].map((origin) => opened.ask(origin))).toEqual([true, true, true, false, false]);
  expect(opened.connections.open).toBe(3);
  const first = opened.begin('a');
  opened.closed(first);
  opened.connections.release(first);
  expect(opened.ask('d')).toBe(true);
});

test('SAFE-1: beyond the most, an origin goes on over the one connection that it has, and opens no further one that stays', () => {
  const opened = new Opened(2);
  const { connections } = opened;
  for (const origin of ['a', 'b']) opened.ask(origin);
  expect(opened.ask('a')).toBe(true);
  const first = opened.begin('a');
  expect(connections.stays(first)).toBe(true);
  // While that is under way, another takes a second connection.
  const second = opened.begin('a');
  expect([second === first, connections.stays(second)]).toEqual([false, false]);
  connections.release(first);
  connections.release(second);
  expect(connections.open).toBe(2);
});

test('SAFE-1: an origin that fails before it has a connection leaves nothing', () => {
  const opened = new Opened(1);
  opened.connections.release(opened.begin('a'));
  expect([opened.connections.open, opened.ask('b')]).toEqual([0, true]);
});

test('SAFE-1: one workspace keeps four fifths of the connections that may stay open, and the next has the rest', () => {
  const opened = new Opened(10);
  const origins = Array.from({ length: 12 }, (_, at) => `origin-${at}`);
  const stay = (workspace: string): number => origins.filter((origin) => opened.ask(origin, workspace)).length;
  expect([stay(A), stay(B)]).toEqual([8, 2]);
});

test('a connection serves one request at a time, the one that was used last first, and none once it is closed', () => {
  const opened = new Opened();
  const [first, second] = [opened.begin('a'), opened.begin('a')];
  for (const one of [first, second]) opened.open(one);
  for (const one of [first, second]) opened.connections.release(one);
  expect([opened.begin('a'), opened.begin('a')]).toEqual([second, first]);
  for (const one of [second, first]) opened.connections.release(one);
  opened.closed(first);
  expect(opened.begin('a')).toBe(second);
  expect([first, second]).not.toContain(opened.begin('a'));
});

test('SAFE-1: what is about to open for a request that has ended is given up', async () => {
  // Nobody says there whether it opened.
  const connections = new Connections(() => (origin) => new Client(origin, { connect: () => undefined }));
  const connection = connections.take(A, 'http://silent.test');
  const onResponseError = vi.fn<(controller: unknown, error: Error) => void>();
  const others = { onRequestStart: vi.fn(), onResponseStart: vi.fn(), onResponseData: vi.fn(), onResponseEnd: vi.fn() };
  connection.client.dispatch({ path: '/', method: 'POST' }, { ...others, onResponseError });
  expect(onResponseError).not.toHaveBeenCalled();
  connections.release(connection);
  await expect.poll(() => onResponseError.mock.calls.length).toBe(1);
  expect(connection.client.destroyed).toBe(true);
});

const REQUEST = { workspace: A, ...webhookRequest(exampleOf('track'), {}) };

test('SAFE-1: beyond the connections that may stay open, one of a further origin is closed with its answer', async () => {
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000, { mostKept: 1 });
  // Whoever keeps its end open, and asks for ten minutes.
  const answer = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 2\r\n\r\nok';
  await using first = await startRawReceiver((socket) => socket.write(answer));
  await using second = await startRawReceiver((socket) => socket.write(answer));
  for (const { url } of [first, second, second, first]) {
    expect(await own.post({ url, ...REQUEST, deadlineMs: 5_000 }, new AbortController().signal)).toMatchObject({
      kind: 'answered',
      status: 200,
    });
    await expect.poll(() => own.open).toBe(1);
  }
  expect([first.connections, second.connections]).toEqual([1, 2]);
  expect(second.received.toLowerCase()).toContain('connection: close');
  await own.close();
  await expect.poll(() => own.open).toBe(0);
});

test('SAFE-2: workspaces whose webhooks have one origin share no connection', async () => {
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  await using receiver = await startRawReceiver((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  );
  for (const workspace of [A, B, A, B]) {
    const request = { ...REQUEST, workspace, url: receiver.url, deadlineMs: 5_000 };
    expect(await own.post(request, new AbortController().signal)).toMatchObject({ status: 200 });
  }
  expect(receiver.connections).toBe(2);
  await own.close();
});

test('SAFE-2: a name is looked up for the workspace whose request it is', async () => {
  const asked: string[] = [];
  const resolver: Resolver = (name, workspace) => {
    asked.push(`${workspace} ${name}`);
    return Promise.reject(new Error('ENOTFOUND'));
  };
  const own = createUndiciTransport(createAddressGuard([]), 5_000, { resolver });
  for (const workspace of [A, B]) {
    const request = { ...REQUEST, workspace, url: 'http://one.test/', deadlineMs: 5_000 };
    expect(await own.post(request, new AbortController().signal)).toMatchObject({ kind: 'failed' });
  }
  expect(asked).toEqual([`${A} one.test`, `${B} one.test`]);
  await own.close();
});

test('D-28: however busy it is, a connection gives way to a new one after a minute, for which its name is looked up again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let lookups = 0;
  const resolver: Resolver = () => {
    lookups += 1;
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000, { resolver });
  await using receiver = await startRawReceiver((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  );
  const url = receiver.url.replace('127.0.0.1', 'name.test');
  for (const connections of [1, 1, 1, 2, 2]) {
    const result = await own.post({ url, ...REQUEST, deadlineMs: 5_000 }, new AbortController().signal);
    expect(result).toMatchObject({ status: 200 });
    expect([receiver.connections, lookups]).toEqual([connections, connections]);
    vi.advanceTimersByTime(25_000);
  }
  await expect.poll(() => own.open).toBe(1);
  await own.close();
});

test('SAFE-1: of attempts that reach no receiver nothing is left once they have ended', async () => {
  const gone = await startRawReceiver(() => undefined);
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const result = await own.post({ url, ...REQUEST, deadlineMs: 5_000 }, new AbortController().signal);
    expect(result).toMatchObject({ kind: 'failed', failure: 'connect_refused' });
  }
  // What a timer is for, it keeps in memory.
  expect(vi.getTimerCount()).toBe(0);
  await own.close();
});

test('what a request costs does not grow with those that are under way: the clock is not read for each of them', async () => {
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  await using receiver = await startRawReceiver(() => undefined);
  const ended = new AbortController();
  const post = (): Promise<unknown> => own.post({ url: receiver.url, ...REQUEST, deadlineMs: 60_000 }, ended.signal);
  const results = Array.from({ length: 50 }, post);
  await expect.poll(() => receiver.connections).toBe(50);
  const now = vi.spyOn(Date, 'now');
  onTestFinished(() => now.mockRestore());
  results.push(post());
  expect(now.mock.calls.length).toBeLessThan(10);
  ended.abort();
  await Promise.all(results);
  await own.close();
});

test('what is sent once an answer is there goes over a connection that is open', async () => {
  const own = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5_000);
  await using receiver = await startRawReceiver((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  );
  const request = { url: receiver.url, ...REQUEST, deadlineMs: 5_000 };
  const chain = async (): Promise<void> => {
    for (let sent = 0; sent < 20; sent += 1) await own.post(request, new AbortController().signal);
  };
  await Promise.all(Array.from({ length: 5 }, chain));
  expect(receiver.connections).toBe(5);
  await own.close();
});
