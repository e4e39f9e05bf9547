import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { CircuitNews, Life, Wait } from '../../storage/members.ts';
import { type DispatcherOptions, DispatcherWorld } from '../support/dispatcher.ts';
import { DESTINATION, targetOf } from '../support/engine.ts';

const URL = 'https://example.test/hook';
const hanging = () => ({ afterMs: 60_000, ...answers(200) });
const release = (): Promise<never> => Promise.reject(new Error('full'));
const NAMES = Array.from({ length: 70 }, (_, index) => `d${index}`);
const member = (node: string): Life => ({ node, epoch: 1 });

const started = (options?: DispatcherOptions): Promise<DispatcherWorld> => new DispatcherWorld(options).start();

test('D-62: what waits in a queue that another router owns is told to that router', async () => {
  const told: Wait[] = [];
  const other = { node: 'two', epoch: 1 };
  const world = new DispatcherWorld({
    spoil: (own) => ({ exchange: (news) => (told.push(...news.waits), own.exchange(news)) }),
  });
  const life = await world.storage.join({ now: world.clock.steady() });
  await world.dispatcher.start(life, [life, other]);
  const at = world.clock.steady();
  for (const name of NAMES) world.dispatcher.wake(name);
  await world.dispatcher.neighbors.exchange();
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThan(NAMES.length);
  expect(told[0]).toEqual({ to: 'two', destination: expect.any(String), dueAt: at, receivedAt: at });
});

test('D-62: other members are told that a destination is parked', async () => {
  const told: CircuitNews[] = [];
  const world = await started({
    endpoint: () => answers(503),
    policy: { parkAfter: 1 },
    spoil: (own) => ({ exchange: (news) => (told.push(...news.circuits), own.exchange(news)) }),
  });
  world.dispatcher.neighbors.meet([member('one'), member('two')]);
  await world.send('m1');
  await world.clock.advance(0);
  await world.dispatcher.neighbors.exchange();
  expect(told).toMatchObject([{ destination: DESTINATION, circuit: { state: 'open' } }]);
});

test('D-62: what storage did not take back of a destination that is no longer its own is put back a second later', async () => {
  let isDown = true;
  const world = await started({
    endpoint: hanging,
    spoil: (own) => ({ release: (claims) => (isDown ? release() : own.release(claims)) }),
  });
  for (let count = 0; count < 5; count += 1) await world.send(`m${count}`);
  world.target = { ...targetOf(URL), limits: { inFlight: 1 } };
  // Of one place the owner of the queue has all, which is the other.
  world.dispatcher.neighbors.meet([member('one'), member('nine')]);
  await world.clock.advance(999);
  expect(world.states).toEqual(['trying', 'trying', 'trying', 'trying', 'trying']);
  isDown = false;
  await world.clock.advance(1);
  expect(world.states).toEqual(['trying', 'trying', 'trying', 'trying', 'pending']);
});
