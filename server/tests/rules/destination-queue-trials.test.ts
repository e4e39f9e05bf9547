import { expect, test } from 'vitest';
import { newQueue } from '../../delivery/destination-queue.ts';
import {
  asksFor,
  checkSteps,
  claimed,
  ended,
  NO_MEMORY,
  OWNER,
  POLICY,
  PROBE,
  refilled,
  started,
  stored,
  wakes,
} from '../support/queue-steps.ts';

/** One from storage has gone out, and others wait there. */
const onTrial = [[stored(0)], [refilled(1, { dueAt: 0, oldestAt: 0 })], [started]] as const;

test('D-25: a queue of which nothing is known is new, and proven by nothing', () => {
  expect(newQueue(POLICY)).toMatchObject({ standing: 'new', isProven: false });
});

checkSteps({
  'new: of what waits one is asked for, which will tell how the destination is': {
    standing: 'new',
    when: [stored(0)],
    state: { standing: 'new', reserved: 1 },
    effects: [asksFor({ which: 'due', now: 0, limit: 1 })],
  },
  'new: while one is on its way that was accepted, none is asked for': {
    standing: 'new',
    after: [[claimed(1)], [started]],
    when: [stored(0)],
    state: { standing: 'new', dueAt: 0, refill: { state: 'none' } },
    effects: [],
  },
  'new: nor while one more is ready': {
    standing: 'new',
    after: [[claimed(2)], [started]],
    when: [stored(0)],
    state: { standing: 'new', ready: 1, inFlight: 1, dueAt: 0, refill: { state: 'none' } },
    effects: [],
  },
  'new: what storage gives is on trial': {
    standing: 'new',
    after: [[stored(0)]],
    when: [refilled(1, { dueAt: 0, oldestAt: 0 })],
    state: { standing: 'on trial', ready: 1, refill: { state: 'none' } },
    effects: [],
  },
  'new: storage that gives nothing says nothing': {
    standing: 'new',
    after: [[stored(0)]],
    when: [refilled(0)],
    state: { standing: 'new' },
    effects: [wakes(POLICY.maxWaitMs)],
  },
  'on trial: until it has ended no other is asked for': {
    standing: 'new',
    after: onTrial,
    when: [{ type: 'tick' }],
    state: { standing: 'on trial', inFlight: 1, dueAt: 0, refill: { state: 'none' } },
    effects: [],
  },
  'on trial: a success brings as much as there is room for': {
    standing: 'new',
    after: onTrial,
    when: [ended('delivered', PROBE)],
    state: { standing: 'answers', isProven: true },
    effects: [asksFor({ which: 'due', limit: 9 })],
  },
  'on trial: a failure brings as much as a destination begins with': {
    standing: 'new',
    after: onTrial,
    when: [ended('failed', PROBE)],
    state: { standing: 'fails', isProven: false },
    effects: [asksFor({ which: 'due', limit: 2 })],
  },
  'fails: while any is ready, no other is asked for': {
    standing: 'fails',
    after: [[claimed(1)]],
    when: [stored(0)],
    state: { ready: 1, dueAt: 0, refill: { state: 'none' } },
    effects: [],
  },
  'fails: no more is asked for than has a turn soon': {
    standing: 'fails',
    when: [stored(0), { memory: { ...OWNER.memory, trials: 1 } }],
    state: { reserved: 1 },
    effects: [asksFor({ which: 'due', limit: 1 })],
  },
  'fails: while enough others wait for their turn, the queue starves': {
    standing: 'fails',
    when: [stored(0), { memory: { ...OWNER.memory, trials: 0 } }],
    state: { refill: { state: 'starved' }, dueAt: 0 },
    effects: [],
  },
  'answers: trials of others keep nothing from it': {
    when: [stored(0), { memory: { ...OWNER.memory, trials: 0 } }],
    state: { reserved: 4 },
    effects: [asksFor({ which: 'due', limit: 4 })],
  },
  'on trial: without memory it starves as any': {
    standing: 'on trial',
    when: [stored(0), { memory: NO_MEMORY }],
    state: { refill: { state: 'starved' } },
    effects: [],
  },
  'a destination that was delivered to is proven, until a round fails': {
    after: [[claimed(2)], [started], [ended('delivered')], [started]],
    when: [ended('failed')],
    state: { standing: 'fails', isProven: false },
    effects: [wakes(POLICY.maxWaitMs)],
  },
  'a round that was refused, or says nothing, leaves it proven': {
    after: [[claimed(3)], [started], [ended('delivered')], [started], [ended('refused')], [started]],
    when: [ended('unjudged')],
    state: { standing: 'answers', isProven: true },
    effects: [wakes(POLICY.maxWaitMs)],
  },
  'and one that was never delivered to is not proven by a refusal': {
    after: [[claimed(1)], [started]],
    when: [ended('refused')],
    state: { standing: 'answers', isProven: false },
    effects: [wakes(POLICY.maxWaitMs)],
  },
});
