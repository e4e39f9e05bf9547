import { expect, test } from 'vitest';
import type { Circuit } from '../../delivery/circuit.ts';
import { type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import type { Limits } from '../../delivery/pace.ts';
import type { Role } from '../../delivery/roles.ts';
import { type Queue, Scheduler } from '../../delivery/scheduler.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';

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
  expect(scheduler.parked).toBe(0);
  put(scheduler, 'open', { circuit: OPEN });
  put(scheduler, 'half-open', { circuit: HALF_OPEN });
  expect([scheduler.parked, scheduler.count]).toEqual([2, 3]);
});

test('D-62: of parked destinations, a router names those whose queues it owns', () => {
  const scheduler = schedulerOf({ guest: { isOwner: false } });
  put(scheduler, 'well', {});
  for (const name of ['guest', 'own']) put(scheduler, name, { circuit: OPEN });
  expect([scheduler.parked, scheduler.ownParked]).toEqual([2, ['own']]);
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
  expect(scheduler.next()).toBeUndefined();
  put(scheduler, 'few', { ready: 1, inFlight: 1, circuit });
  expect(scheduler.next()?.destination).toBe('few');
  put(scheduler, 'others', { inFlight: 2 });
  expect(scheduler.next()?.destination).toBe('many');
});

test('D-26: nothing starts once as many are in flight as may be, however few a destination has', () => {
  const scheduler = schedulerOf();
  put(scheduler, 'few', { ready: 1 });
  put(scheduler, 'others', { inFlight: 8 });
  expect(scheduler.next()).toBeUndefined();
  put(scheduler, 'others', { inFlight: 7 });
  expect(scheduler.next()?.destination).toBe('few');
});
