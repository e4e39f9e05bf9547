import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../config/clock.ts';
import { DeadlinePassed } from '../../config/deadline.ts';
import { NOW, startConfigWorld, TIMEOUT_MS } from '../support/config-world.ts';
import { error, type Fault } from '../support/config-stub.ts';
import { thrownBy } from '../support/config-thrown.ts';

const NAME = 'workspaces/main';

/** Never answers; tells when the request has come, and when the client has hung up. */
function silence(before: Fault = () => undefined) {
  const came = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const fault: Fault = (request, response) => {
    request.socket.once('close', left.resolve);
    before(request, response);
    came.resolve();
  };
  return { fault, came: came.promise, left: left.promise };
}

const half: Fault = (_request, response) => void response.writeHead(200).write('{"name":');

describe('the timeout', () => {
  test.for([
    ['no answer comes', undefined],
    ['the body stops half-way', half],
  ] as const)('ends an attempt when %s', async ([, before]) => {
    await using world = await startConfigWorld();
    const { client, stub, clock } = world;
    const { fault, came, left } = silence(before);
    stub.next(fault);
    const thrown = thrownBy(client.workspaces.get(NAME));
    await came;
    clock.elapse();
    expect(await thrown).toMatchObject({
      kind: 'Timeout',
      status: undefined,
      attempts: 1,
      cause: expect.any(DeadlinePassed),
      message: `Timeout: GET ${stub.url}/v1beta/${NAME} got no complete answer within ${TIMEOUT_MS} ms; see timeoutMs`,
    });
    await left;
    expect(stub.received).toHaveLength(1);
  });

  test('ends an attempt whose fetch does not listen to its signal', async () => {
    await using world = await startConfigWorld();
    const { connect, clock } = world;
    const client = connect({ fetch: () => new Promise(() => undefined) });
    const thrown = thrownBy(client.workspaces.get(NAME));
    await clock.whenHeld();
    clock.elapse();
    expect(await thrown).toMatchObject({ kind: 'Timeout' });
  });

  test('begins anew with each attempt', async () => {
    await using world = await startConfigWorld();
    const { connect, stub, clock } = world;
    const timers: number[] = [];
    stub.next(error(503, 14, ''), error(503, 14, ''));
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (ms === TIMEOUT_MS) timers.push(clock.held);
      return clock.sleep(ms, signal);
    };
    const client = connect({ clock: { now: () => NOW, sleep } });
    await expect(client.workspaces.get(NAME)).rejects.toMatchObject({ kind: 'NotFound', attempts: 3 });
    // Three timers, and none while another one ran.
    expect(timers).toEqual([0, 0, 0]);
    expect(clock.held).toBe(0);
  });
});

describe('a signal', () => {
  test('that was aborted before sends nothing', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const reason = new Error('changed my mind');
    await expect(client.workspaces.get(NAME, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(stub.received).toEqual([]);
  });

  test.for([undefined, half])('that aborts ends the attempt with its own reason', async (before) => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const { fault, came, left } = silence(before);
    stub.next(fault);
    const controller = new AbortController();
    const thrown = thrownBy(client.workspaces.get(NAME, { signal: controller.signal }));
    await came;
    controller.abort();
    expect(await thrown).toBe(controller.signal.reason);
    await left;
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('that aborts ends the wait before a repetition', async () => {
    await using world = await startConfigWorld();
    const { connect, stub, clock } = world;
    stub.next(error(429, 8, '', { 'Retry-After': '30' }));
    const reason = new Error('changed my mind');
    const controller = new AbortController();
    const sleep: typeof clock.sleep = async (ms, signal) => {
      if (ms === TIMEOUT_MS) return clock.sleep(ms, signal);
      expect([ms, signal]).toEqual([30_000, controller.signal]);
      controller.abort(reason);
    };
    const client = connect({ clock: { now: () => NOW, sleep } });
    await expect(client.workspaces.get(NAME, { signal: controller.signal })).rejects.toBe(reason);
    expect(stub.received).toHaveLength(1);
  });

  test('that aborts between two pages ends the list', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    for (const slug of ['a', 'b', 'c']) await client.workspaces.create({ name: `workspaces/${slug}` });
    const controller = new AbortController();
    const seen: string[] = [];
    const walk = async () => {
      for await (const { name } of client.workspaces.list({ pageSize: 1, signal: controller.signal })) {
        seen.push(name);
        controller.abort(new Error('enough'));
      }
    };
    await expect(walk()).rejects.toThrow('enough');
    expect(seen).toEqual(['workspaces/a']);
    expect(stub.received.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test('reaches every method', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    const signal = AbortSignal.abort(new Error('enough'));
    const name = 'workspaces/main/sources/js';
    const calls = [
      client.sources.get(name, { signal }),
      client.sources.create({ name }, { signal }),
      client.sources.update(name, {}, { signal }),
      client.sources.delete(name, { signal }),
      client.trackingPlans.create(NAME, { display_name: '' }, { signal }),
      Array.fromAsync(client.sources.list(NAME, { signal })),
    ];
    const settled = await Promise.allSettled(calls);
    expect(settled).toEqual(calls.map(() => ({ status: 'rejected', reason: signal.reason })));
    expect(stub.received).toEqual([]);
  });

  test('that serves many calls gathers no listeners', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    const { signal } = new AbortController();
    await client.workspaces.create({ name: NAME }, { signal });
    for (let call = 0; call < 20; call += 1) await client.workspaces.get(NAME, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe("the machine's own clock", () => {
  test('ends a wait once its signal aborts, and leaves nothing', async () => {
    const controller = new AbortController();
    const before = liveTimers();
    const waiting = systemClock.sleep(TIMEOUT_MS, controller.signal);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    expect(liveTimers()).toBe(before + 1);
    controller.abort();
    expect(liveTimers()).toBe(before);
    await waiting;
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await systemClock.sleep(TIMEOUT_MS, controller.signal);
  });

  test('ends a wait of no time by itself', async () => {
    const before = systemClock.now();
    await systemClock.sleep(0);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});

/** How many timers keep this process alive. */
function liveTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}
