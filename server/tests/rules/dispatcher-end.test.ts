import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { type DispatcherOptions, DispatcherWorld } from '../support/dispatcher.ts';
import { DESTINATION } from '../support/engine.ts';

const hanging = () => ({ afterMs: 60_000, ...answers(200) });
const release = (): Promise<never> => Promise.reject(new Error('full'));
const slow = () => ({ afterMs: 1_000, ...answers(200) });

const started = (options?: DispatcherOptions): Promise<DispatcherWorld> => new DispatcherWorld(options).start();

/** Four rounds in flight, and one claim that waits for its turn. */
async function busy(options: DispatcherOptions): Promise<DispatcherWorld> {
  const world = await started(options);
  for (let count = 0; count < 5; count += 1) await world.send(`m${count}`);
  expect(world.stateOf()).toMatchObject({ inFlight: 4, ready: 1 });
  return world;
}

test('a router that stops begins nothing more, waits for what is in flight, and puts back the rest', async () => {
  const world = await busy({ endpoint: slow });
  let isOver = false;
  const stopped = world.dispatcher.stop(10_000).then(() => (isOver = true));
  await world.clock.advance(999);
  expect(isOver).toBe(false);
  await world.clock.advance(1);
  await stopped;
  expect(world.states).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'pending']);
  expect([world.transport.posts.length, world.clock.sleepers, world.logged.filter(isWarning)]).toEqual([4, 0, []]);
});

test('a router that stops waits for the last that is in flight, not the first', async () => {
  let count = 0;
  const world = await started({ endpoint: () => ({ afterMs: 1_000 * (count += 1), ...answers(200) }) });
  for (const name of ['m1', 'm2', 'm3']) await world.send(name);
  let isOver = false;
  const stopped = world.dispatcher.stop(10_000).then(() => (isOver = true));
  await world.clock.advance(2_999);
  expect(isOver).toBe(false);
  await world.clock.advance(1);
  await stopped;
  expect(world.states).toEqual(['delivered', 'delivered', 'delivered']);
});

test('a router that stops gives up what is in flight once its grace is over, and leaves it to be tried again', async () => {
  const world = await busy({ endpoint: hanging });
  const stopped = world.dispatcher.stop(2_000);
  await world.clock.advance(2_000);
  await stopped;
  expect(new Set(world.states)).toEqual(new Set(['pending']));
  expect(world.transport.posts.map(({ at, endedAt = 0 }) => endedAt - at)).toEqual([2_000, 2_000, 2_000, 2_000]);
});

test('a router that stops sets no timer for what fails meanwhile', async () => {
  const world = await started({ endpoint: () => ({ afterMs: 1_000, ...answers(503) }) });
  await world.send('m1');
  const stopped = world.dispatcher.stop(10_000);
  await world.clock.advance(1_000);
  await stopped;
  expect([world.states, world.clock.sleepers]).toEqual([['pending'], 0]);
});

test('a router that stops logs what could not be put back', async () => {
  const world = await busy({ endpoint: slow, spoil: () => ({ release }) });
  const stopped = world.dispatcher.stop(10_000);
  await world.clock.advance(1_000);
  await stopped;
  const message = 'claims could not be put back; they are freed at the next start';
  expect(world.logged.filter(isWarning)).toEqual([
    { level: 'warn', message, fields: { deliveries: 1, reason: 'Error: full' } },
  ]);
});

test('NODE-3: a life that is over gives up what is in flight, and asks nothing more of storage', async () => {
  const asked: string[] = [];
  const world = await busy({
    endpoint: hanging,
    spoil: (own) => ({
      record: (rounds) => (asked.push('record'), own.record(rounds)),
      claim: (request) => (asked.push('claim'), own.claim(request)),
      release: (claims) => (asked.push('release'), own.release(claims)),
    }),
  });
  asked.length = 0;
  world.dispatcher.fence();
  await world.clock.advance(0);
  expect(world.transport.posts.map(({ at, endedAt }) => endedAt === at)).toEqual([true, true, true, true]);
  expect(world.dispatcher.inFlight).toBe(0);
  world.dispatcher.wake(DESTINATION);
  await world.clock.advance(120_000);
  await world.dispatcher.stop(0);
  expect([asked, world.transport.posts.length, world.clock.sleepers]).toEqual([[], 4, 0]);
});

test('NODE-3: a life that is over waits for nothing that is due later', async () => {
  const world = await started({ endpoint: () => answers(503) });
  await world.send('m1');
  await world.clock.advance(10);
  const { sleepers } = world.clock;
  expect(world.states).toEqual(['pending']);
  world.dispatcher.fence();
  expect(world.clock.sleepers).toBe(sleepers - 1);
});

test('NODE-3: a life that is over before it has begun begins nothing', async () => {
  const world = new DispatcherWorld();
  world.dispatcher.fence();
  await world.start();
  world.dispatcher.wake(DESTINATION);
  await world.clock.advance(60_000);
  expect(world.clock.sleepers).toBe(0);
});

test('a router that has stopped asks storage for nothing, and sets no timers', async () => {
  const claims: string[] = [];
  const world = await started({
    spoil: (own) => ({ claim: (request) => (claims.push(request.destination), own.claim(request)) }),
  });
  await world.dispatcher.stop(0);
  world.dispatcher.wake(DESTINATION);
  expect(world.clock.sleepers).toBe(0);
  await world.clock.advance(60_000);
  expect(claims).toEqual([]);
});

test('NODE-3: while the lease does not hold, nothing starts, and storage is not asked', async () => {
  const claims: string[] = [];
  const world = await busy({
    endpoint: slow,
    spoil: (own) => ({ claim: (request) => (claims.push(request.destination), own.claim(request)) }),
  });
  world.tenure.holds = false;
  await world.clock.advance(10_000);
  world.dispatcher.wake('another');
  await world.clock.advance(10_000);
  expect([world.transport.posts.length, world.dispatcher.inFlight, claims]).toEqual([4, 0, []]);
});

test('NODE-6: a router knows what it tries and what waits in its memory as its own', async () => {
  const world = await busy({ endpoint: hanging });
  const own = world.storage.deliveries.map(({ id }) => id);
  expect(world.dispatcher.known).toEqual(new Set(own));
  expect(own.length).toBe(5);
});

test('NODE-6: what is being accepted counts as a call under way, until it has its answer', async () => {
  const world = await started();
  const at = world.clock.steady();
  const admission = world.dispatcher.admit();
  expect(world.dispatcher.calls.oldestAt).toBe(at);
  admission.end([], []);
  expect(world.dispatcher.calls.oldestAt).toBeUndefined();
});

test('a router that stops waits for what it has asked of storage, and puts it back', async () => {
  const answered = Promise.withResolvers<void>();
  const world = new DispatcherWorld({
    spoil: (own) => ({
      claim: async (request) => {
        const claims = await own.claim(request);
        await answered.promise;
        return claims;
      },
    }),
  });
  await world.leave('m1', DESTINATION);
  await world.start();
  let isOver = false;
  const stopped = world.dispatcher.stop(10_000).then(() => (isOver = true));
  await world.clock.advance(1_000);
  expect([isOver, world.states]).toEqual([false, ['trying']]);
  answered.resolve();
  await stopped;
  expect(world.states).toEqual(['pending']);
});

test('NODE-3: what was sent before a life was over is waited for until it is recorded', async () => {
  const written = Promise.withResolvers<void>();
  const world = await started({
    spoil: (own) => ({ record: (rounds) => written.promise.then(() => own.record(rounds)) }),
  });
  await world.send('m1');
  await world.clock.advance(0);
  let isRecorded = false;
  const recorded = world.dispatcher.recorded(new AbortController().signal).then(() => (isRecorded = true));
  await world.clock.advance(0);
  expect(isRecorded).toBe(false);
  written.resolve();
  await recorded;
  expect(world.states).toEqual(['delivered']);
});

function isWarning({ level }: { readonly level: string }): boolean {
  return level === 'warn' || level === 'error';
}
