import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reduce, type Step } from '../../delivery/destination-queue.ts';
import type { QueueEffect } from '../../delivery/queue-events.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import { ALL_MEMORY, NO_MEMORY } from '../support/queue-steps.ts';
import { type Action, ACTIONS, QueueWorld, REAL, type Reducer } from '../support/queue-world.ts';

/** Small figures, so that limits are reached soon. */
const anyPolicy: fc.Arbitrary<DeliveryPolicy> = fc
  .record({
    perDestination: fc.integer({ min: 1, max: 6 }),
    rampStart: fc.integer({ min: 1, max: 4 }),
    parkAfter: fc.integer({ min: 1, max: 4 }),
    queueRoom: fc.integer({ min: 1, max: 40 }),
    more: fc.nat(40),
  })
  .map(({ perDestination, rampStart, parkAfter, queueRoom, more }) => ({
    ...DEFAULT_POLICY,
    perDestination,
    rampStart: Math.min(rampStart, perDestination),
    parkAfter,
    queueRoom,
    totalRoom: queueRoom + more,
  }));

const anyAction: fc.Arbitrary<Action> = fc.record({ does: fc.constantFrom(...ACTIONS), pick: fc.nat(100_000) });
const anyCase = fc.tuple(anyPolicy, fc.array(anyAction, { maxLength: 150, size: 'max' }));

test('D-25, D-26: whatever happens to a destination queue, it keeps its limits, loses nothing, and leaves memory in the end', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyCase, ([policy, actions]) => {
      expect(faultOf(REAL, policy, actions, seen)).toBeUndefined();
    }),
    { numRuns: 5_000 },
  );
  const modes = ['closed', 'open', 'half-open', 'none', 'starved', 'asked', 'paused'];
  expect([...seen].toSorted()).toEqual(modes.toSorted());
});

test('HOOK-24: whatever happens to a queue with a pace, it keeps to its slots, loses nothing, and leaves memory in the end', () => {
  const anyPaced = fc.tuple(anyCase, fc.constantFrom(20, 130, 1_000));
  const property = fc.property(anyPaced, ([[policy, actions], gapMs]) => {
    expect(faultOf(REAL, policy, actions, new Set(), gapMs)).toBeUndefined();
  });
  fc.assert(property, { numRuns: 2_000 });
});

test.each<[fault: string, reducer: Reducer]>([
  [
    'starts before its slot',
    { ...REAL, canStart: (policy, queue) => REAL.canStart(policy, { ...queue, isHeld: false }) },
  ],
  ['is held without a timer', mute('wake')],
])('HOOK-24: a queue that %s is found', (fault, reducer) => {
  const found = fc.check(
    fc.property(anyCase, ([policy, actions]) => {
      return faultOf(reducer, policy, actions, new Set(), 1_000)?.includes(fault) !== true;
    }),
    { numRuns: 5_000, seed: 1, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

type Reduce = typeof reduce;
type State = Parameters<Reduce>[1];

/** A reducer that is given something else, and one of which the answer is changed. */
function misled(alter: (...asked: Parameters<Reduce>) => Parameters<Reduce>): Reducer {
  return { ...REAL, reduce: (...asked) => reduce(...alter(...asked)) };
}

function altered(alter: (step: Step, before: State) => Partial<Step>): Reducer {
  return {
    ...REAL,
    reduce: (given, queue, event) => {
      const step = reduce(given, queue, event);
      return { ...step, ...alter(step, queue) };
    },
  };
}

function mute(effect: QueueEffect['type']): Reducer {
  return altered(({ effects }) => ({ effects: effects.filter(({ type }) => type !== effect) }));
}

const NOTHING_KNOWN = { dueAt: undefined, oldestAt: undefined };

const TWINS: Readonly<Record<string, readonly [fault: string, reducer: Reducer]>> = {
  'starts whatever is ready': [
    'more in flight than its limit',
    { ...REAL, canStart: (_policy, { ready }) => ready > 0 },
  ],
  'forgets that it has asked': [
    'two refills at once',
    altered(({ state }) => ({ state: { ...state, refill: { state: 'none' } } })),
  ],
  'takes all memory for its own': [
    'takes more memory than is free',
    misled((given, ...rest) => [{ ...given, memory: ALL_MEMORY }, ...rest]),
  ],
  'takes the room of all queues for its own': [
    'holds more than its room',
    misled(({ policy, ...given }, ...rest) => [{ ...given, policy: { ...policy, queueRoom: 1_000 } }, ...rest]),
  ],
  'never sees that memory was freed': [
    'starves beside free memory',
    misled((given, ...rest) => [{ ...given, memory: NO_MEMORY }, ...rest]),
  ],
  'sets no timer': ['waits without a timer', mute('wake')],
  'forgets what it knew when storage fails': [
    'waits without a timer',
    misled((given, queue, event) => {
      const { refill } = queue;
      if (event.type !== 'refill failed' || refill.state !== 'asked') return [given, queue, event];
      return [given, { ...queue, refill: { ...refill, known: NOTHING_KNOWN } }, event];
    }),
  ],
  'forgets how old is what it puts back': [
    'waits without a timer',
    misled((given, queue, event) => [
      given,
      queue,
      event.type === 'returned' ? { ...event, oldestAt: undefined } : event,
    ]),
  ],
  'forgets how old is what is tried again': [
    'waits without a timer',
    misled((given, queue, event) => [
      given,
      queue,
      event.type === 'stored' ? { ...event, receivedAt: given.at } : event,
    ]),
  ],
  'keeps what was ready when its circuit opened': [
    'an open circuit lets through what it holds back',
    altered(({ state, effects }, before) => {
      if (!effects.some(({ type }) => type === 'put back')) return {};
      const { ready, bytes, returning } = before;
      return {
        state: { ...state, ready, bytes, returning },
        effects: effects.filter(({ type }) => type !== 'put back'),
      };
    }),
  ],
  'accepts while its circuit is open': ['accepts what it would hold back', { ...REAL, accepts: () => true }],
  'probes while a probe is in flight': [
    'more than one probe at once',
    altered(({ state }) => {
      const { circuit, refill } = state;
      if (circuit.state !== 'half-open' || refill.state === 'asked') return {};
      return { state: { ...state, circuit: { state: 'open', probes: circuit.probes, probeAt: 0 } } };
    }),
  ],
  'has no pace for last tries': [
    'last tries in a flood',
    altered(({ effects }) => ({
      effects: effects.map((effect) =>
        effect.type === 'refill' && effect.request.which === 'received'
          ? { ...effect, request: { ...effect.request, limit: effect.request.limit + 1 } }
          : effect,
      ),
    })),
  ],
  'probes too soon': ['probes too soon', misled((given, ...rest) => [slowed(given, 1 / 4), ...rest])],
  'probes too late': ['probes too late', misled((given, ...rest) => [slowed(given, 4), ...rest])],
  'ramps up at once': [
    'ramps up too fast',
    misled((given, ...rest) => [
      { ...given, policy: { ...given.policy, rampStart: given.policy.perDestination } },
      ...rest,
    ]),
  ],
  'never opens its circuit': [
    'stays closed',
    misled((given, ...rest) => [{ ...given, policy: { ...given.policy, parkAfter: Infinity } }, ...rest]),
  ],
  'miscounts bytes': [
    'counts',
    misled((given, queue, event) => [given, queue, event.type === 'started' ? { ...event, bytes: 0 } : event]),
  ],
  'is forgotten too soon': [
    'forgets too soon',
    misled((given, ...rest) => [{ ...given, policy: { ...given.policy, maxWaitMs: 20_000 } }, ...rest]),
  ],
  'is forgotten while something waits': [
    'forgets what waits',
    altered(({ state, effects }) => (state.ready > 0 ? { effects: [...effects, { type: 'forget' }] } : {})),
  ],
  'is never forgotten': ['stands still', mute('forget')],
  'changes the state that it is given': [
    'read only',
    {
      ...REAL,
      reduce: (given, queue, event) => {
        const step = reduce(given, queue, event);
        return { ...step, state: Object.assign(queue, step.state) };
      },
    },
  ],
};

function slowed(given: Parameters<Reduce>[0], by: number): Parameters<Reduce>[0] {
  return { ...given, policy: { ...given.policy, firstWaitMs: given.policy.firstWaitMs * by } };
}

test.each(Object.entries(TWINS))('D-25, D-26: a queue that %s is found', (_name, [fault, reducer]) => {
  const found = fc.check(
    fc.property(anyCase, ([policy, actions]) => faultOf(reducer, policy, actions)?.includes(fault) !== true),
    { numRuns: 5_000, seed: 1, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});

/** What the reducer does wrong, if anything; `seen` gets the modes that the queue was in. */
function faultOf(
  reducer: Reducer,
  policy: DeliveryPolicy,
  actions: readonly Action[],
  seen = new Set<string>(),
  gapMs = 0,
): string | undefined {
  const world = new QueueWorld(policy, reducer, gapMs);
  try {
    for (const action of actions) world.act(action);
    world.calm();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const mode of world.seen) seen.add(mode);
  }
}
