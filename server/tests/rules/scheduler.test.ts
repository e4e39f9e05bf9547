import { expect, test } from 'vitest';
import type { Circuit } from '../../delivery/circuit.ts';
import { type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import type { Limits } from '../../delivery/pace.ts';
import type { Role } from '../../delivery/roles.ts';
import { type Queue, Scheduler } from '../../delivery/scheduler.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

/** By when a trial may be made again. */
const AT = 1_000;
const policy = { ...DEFAULT_POLICY, perDestination: 6, rampStart: 2, inFlight: 8, totalRoom: 40, totalBytes: 1_000 };
const OPEN: Circuit = { state: 'open', probes: 1, probeAt: 0 };
const HALF_OPEN: Circuit = { state: 'half-open', probes: 1, probe: undefined };

/** Roles by destination; without one, a router owns the queue, and its destination has no limits. */
function schedulerOf(roles: Readonly<Record<string, Partial<Role>>> = {}): Scheduler {
  return new Scheduler(policy, { of: (destination) => ({ isOwner: true, policy, ...roles[destination] }) });
}

function put(scheduler: Scheduler, destination: string, state: Partial<DestinationQueue>): Queue {
  const queue = scheduler.of(destination);
  scheduler.update(queue, { ...newQueue(policy), ...state });
  return queue;
}

test('D-25: a destination counts as parked while its circuit is not closed', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'well', {});
  expect(scheduler.parked.size).toBe(0);
  put(scheduler, 'open', { circuit: OPEN });
  const again = put(scheduler, 'half-open', { circuit: HALF_OPEN });
  expect([scheduler.parked.size, scheduler.count]).toEqual([2, 3]);
  put(scheduler, 'open', {});
  expect([...scheduler.parked]).toEqual([again]);
  scheduler.forget(again);
  expect(scheduler.parked.size).toBe(0);
});

test('D-62: of parked destinations, a router names those whose queues it owns', () => {
  const scheduler = schedulerOf({ guest: { isOwner: false } });
  put(scheduler, 'well', {});
  for (const name of ['guest', 'own']) put(scheduler, name, { circuit: OPEN });
  expect([scheduler.parked.size, scheduler.ownParked]).toEqual([2, ['own']]);
});

test.each<[what: string, held: number, limits: Limits | undefined, state: Partial<DestinationQueue>]>([
  ['waits for its next slot', 1, { perSecond: 1 }, { ready: 1, isHeld: true }],
  ['has as many in flight as its own limit allows', 1, { inFlight: 6 }, { ready: 1, inFlight: 6 }],
  ['has less in flight than its own limit allows', 0, { inFlight: 6 }, { ready: 1, inFlight: 5 }],
  ['has nothing ready', 0, { perSecond: 1, inFlight: 6 }, { isHeld: true, inFlight: 6 }],
  ['has a pace alone, and its slot has come', 0, { perSecond: 1 }, { ready: 1, inFlight: 6 }],
  ['has no limits of its own', 0, undefined, { ready: 1, isHeld: true, inFlight: 6 }],
])('HOOK-24: a queue that %s counts as held %i times', (_what, held, limits, state) => {
  const scheduler = schedulerOf({ d: { limits } });
  put(scheduler, 'd', state);
  expect(scheduler.held).toBe(held);
});

test('who looks at a queue that is not in memory does not bring it there', () => {
  const scheduler = schedulerOf({ d: { isOwner: false } });
  expect(scheduler.look('d')).toEqual({ role: { isOwner: false, policy }, state: newQueue(policy) });
  expect(scheduler.count).toBe(0);
  const queue = put(scheduler, 'd', { ready: 3 });
  expect(scheduler.look('d')).toBe(queue);
  expect([...scheduler.all()]).toEqual([queue]);
});

test('D-26: a queue that was forgotten begins anew, and whoever still has the old one forgets nothing more', () => {
  const scheduler = schedulerOf();
  const old = put(scheduler, 'd', {});
  scheduler.forget(old);
  expect(scheduler.count).toBe(0);
  const queue = scheduler.of('d');
  expect(queue).not.toBe(old);
  scheduler.forget(old);
  expect(scheduler.of('d')).toBe(queue);
});

test('D-26: places that are kept for those that have few in flight go to no other', () => {
  const scheduler = schedulerOf();
  const circuit = { state: 'closed', limit: 6, failures: 0 } as const;
  put(scheduler, 'many', { ready: 1, inFlight: 2, circuit });
  put(scheduler, 'others', { inFlight: 4 });
  expect(scheduler.inFlight).toBe(6);
  expect(scheduler.next(() => AT)).toBeUndefined();
  put(scheduler, 'few', { ready: 1, circuit });
  expect(scheduler.next(() => AT)?.destination).toBe('few');
  put(scheduler, 'others', { inFlight: 2 });
  expect(scheduler.next(() => AT)?.destination).toBe('many');
});

test('D-26: nothing starts once as many are in flight as may be, however few a destination has', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'few', { ready: 1 });
  put(scheduler, 'others', { inFlight: 8 });
  expect(scheduler.next(() => AT)).toBeUndefined();
  put(scheduler, 'others', { inFlight: 6 });
  expect(scheduler.next(() => AT)?.destination).toBe('few');
});

test('D-26: the last places are for destinations that are proven', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'others', { inFlight: 7 });
  put(scheduler, 'unproven', { ready: 1 });
  expect(scheduler.next(() => AT)).toBeUndefined();
  put(scheduler, 'proven', { ready: 1, isProven: true });
  expect(scheduler.next(() => AT)?.destination).toBe('proven');
  put(scheduler, 'others', { inFlight: 6 });
  expect(scheduler.next(() => AT)?.destination).toBe('unproven');
});

test('D-26: however many others wait, a proven destination waits for one of them at most', () => {
  const scheduler = schedulerOf();
  const others = Array.from({ length: 100 }, (_, index) => `other${index}`);
  for (const name of others) put(scheduler, name, { ready: 1 });
  for (const name of ['a', 'b', 'c']) put(scheduler, name, { ready: 1, isProven: true });
  const turns = Array.from({ length: 103 }, () => scheduler.next(() => AT)?.destination);
  expect(turns.slice(0, 7)).toEqual(['a', 'other0', 'b', 'other1', 'c', 'other2', 'other3']);
  expect(turns.slice(6)).toEqual(others.slice(3));
});

test('D-26: a destination that fails takes its turn among the others, and not before those that have waited longer', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'fails', { ready: 1, isProven: true });
  for (const name of ['a', 'b']) put(scheduler, name, { ready: 1 });
  put(scheduler, 'fails', { ready: 1 });
  expect(Array.from({ length: 4 }, () => scheduler.next(() => AT)?.destination)).toEqual([
    'a',
    'b',
    'fails',
    undefined,
  ]);
});

const ASKED: DestinationQueue['refill'] = { state: 'asked', which: 'due', known: newQueue(policy), limit: 1, bytes: 1 };
const STARVED: DestinationQueue['refill'] = { state: 'starved' };

test('D-26: storage is asked by eight queues at a time, and then by those that have waited, proven ones first', () => {
  const scheduler = schedulerOf();
  const names = Array.from({ length: 8 }, (_, index) => `asks${index}`);
  for (const name of names.slice(1)) put(scheduler, name, { refill: ASKED });
  expect(scheduler.memory.refills).toBe(1);
  put(scheduler, 'asks0', { refill: ASKED });
  put(scheduler, 'waits', { refill: STARVED });
  put(scheduler, 'proven', { refill: STARVED, isProven: true });
  expect([scheduler.memory.refills, scheduler.nextStarved()]).toEqual([0, undefined]);
  put(scheduler, 'asks0', {});
  expect(Array.from({ length: 3 }, () => scheduler.nextStarved()?.destination)).toEqual(['proven', 'waits', 'proven']);
});

test('D-26: a queue that starves is asked among those that it belongs to by now', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'failed', { refill: STARVED, isProven: true });
  put(scheduler, 'failed', { refill: STARVED });
  put(scheduler, 'proven', { refill: STARVED, isProven: true });
  expect(Array.from({ length: 2 }, () => scheduler.nextStarved()?.destination)).toEqual(['proven', 'failed']);
});

/** Of trials, one may be made in a second. */
function slowScheduler(): Scheduler {
  const slow = { ...policy, trialsPerSecond: 1 };
  return new Scheduler(slow, { of: () => ({ isOwner: true, policy: slow }) });
}

test('D-25: a last try of a destination that is parked waits for no trial: the window of its event is about to end', () => {
  const scheduler = slowScheduler();
  for (const name of ['tried', 'waits']) put(scheduler, name, { ready: 1, standing: 'fails' });
  expect([scheduler.next(() => AT)?.destination, scheduler.next(() => AT)]).toEqual(['tried', undefined]);
  put(scheduler, 'last try', { ready: 1, standing: 'fails', circuit: OPEN });
  expect(scheduler.next(() => AT)?.destination).toBe('last try');
});

test('D-25: with all places of trials taken, storage is asked for last tries, and not for trials', () => {
  const scheduler = slowScheduler();
  put(scheduler, 'received', { standing: 'fails', refill: { ...ASKED, which: 'received' } });
  expect(scheduler.memory.trials).toBe(1);
  put(scheduler, 'asks', { standing: 'fails', refill: ASKED });
  put(scheduler, 'trial', { standing: 'fails', refill: STARVED });
  expect([scheduler.memory.trials, scheduler.nextStarved()]).toEqual([0, undefined]);
  put(scheduler, 'last try', { standing: 'fails', refill: STARVED, circuit: OPEN });
  expect(scheduler.nextStarved()?.destination).toBe('last try');
});

test('D-25: the next trial has a time while one waits, and while there is room for those that are not proven', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'well', { standing: 'answers', isProven: true, ready: 1 });
  expect(scheduler.nextTrialAt).toBeUndefined();
  put(scheduler, 'trial', { standing: 'fails', ready: 1 });
  expect(scheduler.nextTrialAt).toBe(-Infinity);
  put(scheduler, 'others', { inFlight: 7 });
  expect(scheduler.nextTrialAt).toBeUndefined();
});

test('D-26: of the places in flight a workspace leaves some to others, which those that come leave in their turn', () => {
  const wide = { ...policy, inFlight: 64 };
  const scheduler = new Scheduler(wide, { of: () => ({ isOwner: true, policy: wide }) });
  const start = (workspace: string): number => {
    const queues = Array.from({ length: 64 }, (_, index) =>
      scheduler.of(`workspaces/${workspace}/sources/s/destinations/d${index}`),
    );
    for (const queue of queues) scheduler.update(queue, { ...newQueue(wide), ready: 1, isProven: true });
    let started = 0;
    for (let queue = scheduler.next(() => AT); queue !== undefined; queue = scheduler.next(() => AT)) {
      scheduler.update(queue, { ...queue.state, ready: 0, inFlight: 1 });
      started += 1;
    }
    return started;
  };
  expect([start('one'), start('two'), start('three')]).toEqual([60, 4, 0]);
});
