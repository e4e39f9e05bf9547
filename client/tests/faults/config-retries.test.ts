import { describe, expect, test } from 'vitest';
import { NOW, startConfigWorld } from '../support/config-world.ts';
import { answer, error } from '../support/config-stub.ts';

const NAME = 'workspaces/main/sources/js';
const LIMITED = (headers: Record<string, string> = {}) => error(429, 8, 'too many requests', headers);
const DOWN = error(503, 14, 'the API is starting');

describe('a request that is answered 429', () => {
  test('is repeated until it is let through', async () => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    stub.next(LIMITED(), LIMITED());
    expect(await client.sources.create({ name: NAME })).toMatchObject({ name: NAME });
    expect(stub.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
    expect(stub.received.map(({ body }) => body)).toEqual([1, 2, 3].map(() => ({ source: { name: NAME } })));
    expect(clock.waits).toEqual([250, 500]);
  });

  test('D-9: waits as many seconds as Retry-After says', async () => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    stub.next(LIMITED({ 'Retry-After': '7' }), LIMITED({ 'Retry-After': '60' }));
    await client.sources.create({ name: NAME });
    expect(clock.waits).toEqual([7000, 60_000]);
  });

  test('waits until the date that Retry-After says', async () => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    stub.next(LIMITED({ 'Retry-After': new Date(NOW + 42_000).toUTCString() }));
    await client.sources.create({ name: NAME });
    expect(clock.waits).toEqual([42_000]);
  });

  test('fails at once when Retry-After is beyond the longest wait', async () => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    stub.next(LIMITED({ 'Retry-After': '61' }));
    await expect(client.sources.create({ name: NAME })).rejects.toMatchObject({
      kind: 'ResourceExhausted',
      attempts: 1,
      retryAfterMs: 61_000,
    });
    expect(clock.waits).toEqual([]);
  });

  test('fails after as many repetitions as there may be', async () => {
    await using world = await startConfigWorld();
    const { connect, stub, clock } = world;
    stub.next(...Array.from({ length: 9 }, () => LIMITED()));
    const client = connect({ retry: { maxRetries: 3, firstWaitMs: 100, longestWaitMs: 300 }, random: () => 0.5 });
    await expect(client.sources.get(NAME)).rejects.toMatchObject({ kind: 'ResourceExhausted', attempts: 4 });
    expect(stub.received).toHaveLength(4);
    expect(clock.waits).toEqual([75, 150, 225]);
  });

  test('tells in its error how often it was tried', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(...Array.from({ length: 5 }, () => LIMITED()));
    await expect(client.sources.get(NAME)).rejects.toThrow(/too many requests \(5 attempts\)$/);
  });
});

describe('a request that is answered 503', () => {
  test.for([
    ['get', 'GET'],
    ['update', 'PATCH'],
    ['delete', 'DELETE'],
    ['list', 'GET'],
  ] as const)('is repeated, when it is a %s', async ([call, method]) => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    await client.sources.create({ name: NAME });
    stub.next(DOWN, answer(503, 'upstream connect error or disconnect/reset before headers'), answer(503, '<html>'));
    const calls = {
      get: () => client.sources.get(NAME),
      update: () => client.sources.update(NAME, { display_name: 'Web' }),
      delete: () => client.sources.delete(NAME),
      list: () => Array.fromAsync(client.sources.list('workspaces/main')),
    };
    await calls[call]();
    expect(stub.received.map((request) => request.method)).toEqual(['POST', ...Array(4).fill(method)]);
    expect(clock.waits).toEqual([250, 500, 1000]);
  });

  test('is not repeated when it is a create, which may have worked', async () => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    stub.next(DOWN);
    await expect(client.accessTokens.create({ description: 'x', scopes: 'workspace' })).rejects.toMatchObject({
      kind: 'Unavailable',
      attempts: 1,
    });
    expect(stub.received).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });
});

describe('a request that failed otherwise', () => {
  test.for([400, 401, 403, 404, 409, 500, 501, 502, 504])('with %d is sent once', async (status) => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(answer(status, '', { 'Retry-After': '1' }));
    await expect(client.sources.get(NAME)).rejects.toMatchObject({ status, attempts: 1 });
    expect(stub.received).toHaveLength(1);
  });

  test('without an answer is sent once', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next((request) => request.socket.destroy());
    await expect(client.sources.get(NAME)).rejects.toMatchObject({ kind: 'Network', attempts: 1 });
    expect(stub.received).toHaveLength(1);
  });

  test('for another reason the second time tells that one', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    stub.next(DOWN, error(404, 5, 'there is none'));
    await expect(client.sources.delete(NAME)).rejects.toMatchObject({ kind: 'NotFound', attempts: 2 });
  });
});
