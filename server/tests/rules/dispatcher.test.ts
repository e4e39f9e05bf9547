import { expect, test, vi } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { NotAMember } from '../../storage/errors.ts';
import { type DispatcherOptions, DispatcherWorld } from '../support/dispatcher.ts';
import { DESTINATION, targetOf } from '../support/engine.ts';

const URL = 'https://example.test/hook';
const hanging = () => ({ afterMs: 60_000, ...answers(200) });
const slow = () => ({ afterMs: 1_000, ...answers(200) });
const failing = () => ({ afterMs: 100, ...answers(503) });
const release = (): Promise<never> => Promise.reject(new Error('full'));
const NAMES = Array.from({ length: 70 }, (_, index) => `d${index}`);

const started = (options?: DispatcherOptions): Promise<DispatcherWorld> => new DispatcherWorld(options).start();

test('the log tells at the start for how many destinations something waits in storage, and what an earlier life had left', async () => {
  const before = new DispatcherWorld();
  await before.storage.join({ now: before.clock.steady() });
  await before.dispatcher.start({ node: 'one', epoch: 1, freed: 0 });
  expect(before.logged).toEqual([]);
  before.dispatcher.fence();
  const world = await started({
    spoil: () => ({
      backlog: () =>
        Promise.resolve({
          queues: [{ destination: 'd', nextDueAt: 0, oldestReceivedAt: 0 }],
          next: undefined,
        }),
    }),
  });
  expect(world.logged).toEqual([
    {
      level: 'info',
      message: 'deliveries are waiting in storage',
      fields: { recovered: 0, destinations: 1 },
    },
  ]);
});

test('NODE-3: nothing is taken once the lease is over, or the life is', async () => {
  const late = await started();
  late.tenure.holds = false;
  expect(() => late.dispatcher.admit()).toThrow(NotAMember);
  const fenced = await started();
  fenced.dispatcher.fence();
  expect(() => fenced.dispatcher.admit()).toThrow(NotAMember);
});

test('before it has begun, a router stores what comes, and tries nothing', async () => {
  const world = new DispatcherWorld();
  await world.storage.join({ now: world.clock.steady() });
  await world.send('m1');
  await world.clock.advance(60_000);
  expect([world.states, world.transport.posts]).toEqual([['pending'], []]);
});

test('NODE-3: what was admitted before the lease was over has no place after it', async () => {
  const world = await started();
  const admission = world.dispatcher.admit();
  world.tenure.holds = false;
  expect(admission.reserve(DESTINATION).hasPlace).toBe(false);
});

test('HOOK-25: where routers share a storage, what keeps the order of users is taken from there alone', async () => {
  const world = await started();
  world.target = { ...targetOf(URL), inOrder: true };
  expect(world.dispatcher.admit().reserve('alone').hasPlace).toBe(true);
  world.tenure.isEndless = false;
  expect(world.dispatcher.admit().reserve('shared').hasPlace).toBe(false);
  world.target = targetOf(URL);
  expect(world.dispatcher.admit().reserve('shared').hasPlace).toBe(true);
});

test('HOOK-25: a destination that is gone keeps no order', async () => {
  const world = await started();
  const isInOrder = (): boolean => world.dispatcher.admit().reserve(DESTINATION).isInOrder;
  world.target = { ...targetOf(URL), inOrder: true };
  expect(isInOrder()).toBe(true);
  world.target = undefined;
  expect(isInOrder()).toBe(false);
});

test('D-13: an event asks for its target where that decides: for its place, for its start and for its round', async () => {
  const world = await started();
  await world.send('m1');
  await world.clock.advance(0);
  const { lookups } = world;
  await world.send('m2');
  await world.clock.advance(0);
  expect([world.lookups - lookups, world.transport.posts.length]).toEqual([3, 2]);
});

test('D-26: places are given back once storage has answered, those alone that were kept', async () => {
  const world = await started({ endpoint: hanging, policy: { queueRoom: 64 } });
  const admission = world.dispatcher.admit();
  const kept = Array.from({ length: 10 }, () => admission.reserve(DESTINATION).hasPlace);
  expect(kept.filter(Boolean).length).toBe(1);
  expect(world.stateOf()?.reserved).toBe(1);
  admission.end([], []);
  expect([world.stateOf()?.reserved, world.dispatcher.queues.count]).toEqual([0, 1]);
});

test('D-26: what waits in memory counts with its bytes', async () => {
  const world = await started({ endpoint: hanging });
  for (let count = 0; count < 5; count += 1) await world.send(`m${count}`);
  expect(world.stateOf()).toMatchObject({ inFlight: 4, ready: 1 });
  expect(world.stateOf()?.bytes).toBeGreaterThan(0);
});

test('D-26: an event for many destinations is answered before most of them are sent to, and then all are', async () => {
  const world = await started({ endpoint: hanging });
  await world.send('m1', ...NAMES);
  const { sleepers } = world.clock;
  expect(world.dispatcher.inFlight).toBe(32);
  // Until they have begun, others that are begun meanwhile set no timer of their own.
  world.dispatcher.wake('another');
  expect(world.clock.sleepers - sleepers).toBeLessThanOrEqual(1);
  await world.clock.advance(0);
  expect(world.dispatcher.inFlight).toBe(NAMES.length);
  await world.send('m2', ...NAMES);
  await world.clock.advance(0);
  expect(world.dispatcher.inFlight).toBe(2 * NAMES.length);
});

test('HOOK-24: what is ready when a limit is set follows it with the next round', async () => {
  const world = await started({ endpoint: slow });
  for (let count = 0; count < 6; count += 1) await world.send(`m${count}`);
  expect(world.dispatcher.inFlight).toBe(4);
  world.target = { ...targetOf(URL), limits: { inFlight: 1 } };
  await world.clock.advance(1_000);
  expect(world.dispatcher.inFlight).toBe(1);
});

test('what has ended leaves nothing that a queue would look for', async () => {
  const world = await started();
  await world.send('m1');
  await world.clock.advance(0);
  expect(world.states).toEqual(['delivered']);
  expect(world.stateOf()).toMatchObject({ dueAt: undefined, oldestAt: undefined });
});

test('D-25: the log tells that a destination is parked, after how many failures, and that it has recovered', async () => {
  let status = 503;
  const world = await started({ endpoint: () => answers(status), policy: { parkAfter: 2 } });
  for (const name of ['m1', 'm2']) {
    await world.send(name);
    await world.clock.advance(0);
  }
  status = 200;
  await world.clock.advance(60_000);
  const lines = world.logged.filter(({ message }) => message.startsWith('destination '));
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'destination parked after failed rounds',
      fields: { destination: DESTINATION, after: 2 },
    },
    { level: 'info', message: 'destination has recovered', fields: { destination: DESTINATION } },
  ]);
});

test('D-25: what storage does not take back when a destination is parked is sent instead, and logged', async () => {
  const world = await started({ endpoint: failing, policy: { parkAfter: 1 }, spoil: () => ({ release }) });
  for (let count = 0; count < 6; count += 1) await world.send(`m${count}`);
  await world.clock.advance(100);
  const line = world.logged.find(({ message }) => message === 'claims could not be put back; they are sent instead');
  expect([line?.level, line?.fields]).toEqual(['error', { destination: DESTINATION, reason: 'Error: full' }]);
  await world.clock.advance(200);
  expect(world.transport.posts.length).toBe(6);
});

test('D-25: what storage takes back when a destination is parked is known to wait, since the oldest of it came', async () => {
  const world = await started({ endpoint: failing, policy: { parkAfter: 1, rampStart: 1 } });
  const at = world.clock.steady();
  for (const name of ['m1', 'm2', 'm3']) {
    await world.send(name);
    await world.clock.advance(10);
  }
  await world.clock.advance(100);
  expect(world.stateOf()).toMatchObject({ ready: 0, returning: 0 });
  expect(world.stateOf()?.oldestAt).toBe(at);
  expect(world.states).toEqual(['pending', 'pending', 'pending']);
});

test('HOOK-24: a queue that waits for a place in flight does not start beyond a limit that was set meanwhile', async () => {
  let posts = 0;
  const endpoint = () => ({ afterMs: (posts += 1) < 4 ? 1_000 : 4_000, ...answers(200) });
  const world = await started({ endpoint, policy: { inFlight: 4 } });
  for (const name of ['m1', 'm2', 'm3']) await world.send(name, 'a');
  for (const name of ['m4', 'm5']) await world.send(name, 'b');
  expect([world.stateOf('a')?.inFlight, world.stateOf('b')?.inFlight, world.stateOf('b')?.ready]).toEqual([3, 1, 1]);
  world.target = { ...targetOf(URL), limits: { inFlight: 1 } };
  await world.clock.advance(1_000);
  expect([world.stateOf('b')?.inFlight, world.stateOf('b')?.ready]).toEqual([1, 1]);
  await world.clock.advance(10_000);
  expect(new Set(world.states)).toEqual(new Set(['delivered']));
});

test('HOOK-24: what a pace leaves in memory no more waits in storage, since the oldest of it came', async () => {
  const world = await started({ endpoint: hanging });
  const at = world.clock.steady();
  for (let count = 0; count < 7; count += 1) {
    await world.send(`m${count}`);
    await world.clock.advance(10);
  }
  world.target = { ...targetOf(URL), limits: { perSecond: 1 } };
  world.dispatcher.wake('another');
  world.dispatcher.admit().reserve(DESTINATION);
  await world.send('m7');
  await world.clock.advance(0);
  expect(world.stateOf()).toMatchObject({ inFlight: 4, oldestAt: at + 40 });
});

test('HOOK-25: the next event of a user is sent as soon as the one before has ended', async () => {
  const world = await started({ endpoint: slow });
  world.target = { ...targetOf(URL), inOrder: true };
  for (const name of ['m1', 'm2']) await world.send(name);
  expect(world.states).toEqual(['trying', 'pending']);
  await world.clock.advance(1_000);
  expect(world.states).toEqual(['delivered', 'trying']);
  await world.clock.advance(1_000);
  expect(world.states).toEqual(['delivered', 'delivered']);
});

test('D-26: a destination of which nothing was heard for long is forgotten', async () => {
  const world = await started();
  await world.send('m1');
  await world.clock.advance(9 * 60_000);
  expect(world.dispatcher.queues.count).toBe(1);
  await world.clock.advance(2 * 60_000);
  expect([world.dispatcher.queues.count, world.clock.sleepers]).toEqual([0, 0]);
});

test('D-26: what finds no room in memory is brought once there is some, and holds up nothing meanwhile', async () => {
  const world = await started({ endpoint: slow, policy: { totalRoom: 2 } });
  for (let count = 0; count < 5; count += 1) await world.send(`m${count}`, 'a');
  await world.send('m5', 'b');
  expect([world.stateOf('a')?.ready, world.stateOf('b')?.refill.state]).toEqual([1, 'starved']);
  await world.clock.advance(1_000);
  expect(world.stateOf('b')).toMatchObject({ inFlight: 1, refill: { state: 'none' } });
  await world.clock.advance(1_000);
  expect(new Set(world.states)).toEqual(new Set(['delivered']));
});

test('D-25: while trials wait for their time nobody looks whether it has come', async () => {
  const world = new DispatcherWorld({ endpoint: hanging, policy: { trialsPerSecond: 10 } });
  await world.leave('m1', ...NAMES.slice(0, 12));
  await world.start();
  const sleep = vi.spyOn(world.clock, 'sleep');
  await world.clock.advance(900);
  // One or two for each that is sent, and one until the next.
  expect(sleep.mock.calls.length).toBeLessThanOrEqual(3 * world.transport.posts.length);
});

test('D-26: what storage cannot give is asked for again a second later', async () => {
  let isDown = true;
  const world = new DispatcherWorld({
    spoil: (own) => ({ claim: (request) => (isDown ? Promise.reject(new Error('down')) : own.claim(request)) }),
  });
  await world.leave('m1', DESTINATION);
  await world.start();
  await world.clock.advance(999);
  isDown = false;
  expect(world.stateOf()).toMatchObject({ reserved: 0, refill: { state: 'paused' } });
  await world.clock.advance(1);
  expect(world.states).toEqual(['delivered']);
});

test('D-25: what waited in storage for many destinations is tried at the pace of trials, and none is left out', async () => {
  const world = new DispatcherWorld({ endpoint: hanging, policy: { trialsPerSecond: 100 } });
  const names = NAMES.slice(0, 12);
  await world.leave('m1', ...names);
  await world.start();
  const at = world.clock.steady();
  await world.clock.advance(1_000);
  const made = world.transport.posts.map((post) => post.at - at);
  // Three at once, as those of 22 ms are made up for; then each has its 10 ms.
  expect(made).toEqual([0, 0, 0, ...names.slice(3).map((_, index) => 8 + 10 * index)]);
});

test('D-26: who found no place in memory is asked for in storage at once', async () => {
  const claims: string[] = [];
  const world = await started({
    spoil: (own) => ({ claim: (request) => (claims.push(request.destination), own.claim(request)) }),
  });
  world.dispatcher.admit().end([], ['d']);
  expect(claims).toEqual(['d']);
});

test('what was accepted for a destination that is gone is cancelled', async () => {
  const world = await started();
  world.target = undefined;
  await world.send('m1');
  await world.clock.advance(0);
  expect(world.states).toEqual(['cancelled']);
});
