import { expect, test } from 'vitest';
import { accepts, canStart, type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import type { Given } from '../../delivery/refill.ts';
import {
  asksFor,
  checkSteps,
  claimed,
  NO_MEMORY,
  OPEN,
  OWNER,
  POLICY,
  refilled,
  SHUT,
  started,
  stored,
  wakes,
} from '../support/queue-steps.ts';

checkSteps({
  'closed: what is due is asked for, as much as there is room for': {
    when: [stored(0)],
    state: { dueAt: undefined, oldestAt: undefined, reserved: 4, refill: expect.objectContaining({ state: 'asked' }) },
    effects: [asksFor({ which: 'due', now: 0, limit: 4 })],
  },
  'closed: what is due later is waited for': {
    when: [stored(700, 5)],
    state: { dueAt: 700, oldestAt: 5, wakeAt: 700, refill: { state: 'none' } },
    effects: [wakes(700)],
  },
  'closed: of two the earlier is waited for, and the older is remembered': {
    after: [[stored(700, 50)]],
    when: [stored(900, 5)],
    state: { dueAt: 700, oldestAt: 5, wakeAt: 700 },
    effects: [],
  },
  'closed: an earlier one moves the timer': {
    after: [[stored(700)]],
    when: [stored(300)],
    state: { dueAt: 300, wakeAt: 300 },
    effects: [wakes(300)],
  },
  'closed: what comes while storage is asked is remembered beside what it brings': {
    after: [[stored(0)], [stored(0, 40)]],
    when: [refilled(3, { dueAt: 60, oldestAt: 20 })],
    state: { ready: 3, bytes: 30, dueAt: 0, oldestAt: 20, refill: { state: 'none' }, reserved: 0 },
    effects: [],
  },
  'closed: storage is not asked while enough is ready': {
    after: [[claimed(2)]],
    when: [stored(0)],
    state: { dueAt: 0, refill: { state: 'none' }, wakeAt: undefined },
    effects: [],
  },
  'closed: a start that leaves too little ready asks for more': {
    after: [[claimed(2)], [stored(0)]],
    when: [started],
    state: { ready: 1, bytes: 10, inFlight: 1 },
    effects: [asksFor({ which: 'due', limit: 3 })],
  },
  'closed: without room in memory the queue starves': {
    when: [stored(0), { memory: NO_MEMORY }],
    state: { dueAt: 0, refill: { state: 'starved' }, reserved: 0 },
    effects: [],
  },
  'starved: memory that is freed is used with the next look': {
    after: [[stored(0), { memory: NO_MEMORY }]],
    when: [{ type: 'tick' }],
    state: { dueAt: undefined, reserved: 4 },
    effects: [asksFor({ which: 'due' })],
  },
  'asked: storage that cannot answer is asked again a second later, and nothing is forgotten': {
    after: [[stored(0, 7)]],
    when: [{ type: 'refill failed' }],
    state: { refill: { state: 'paused', until: 1_000 }, dueAt: 0, oldestAt: 7, reserved: 0, wakeAt: 1_000 },
    effects: [wakes(1_000)],
  },
  'paused: before its time nothing is asked': {
    after: [[stored(0)], [{ type: 'refill failed' }]],
    when: [{ type: 'tick' }, { at: 999 }],
    state: { refill: { state: 'paused', until: 1_000 }, dueAt: 0 },
    effects: [],
  },
  'paused: at its time storage is asked again': {
    after: [[stored(0)], [{ type: 'refill failed' }]],
    when: [{ type: 'tick' }, { at: 1_000 }],
    state: { reserved: 4, wakeAt: undefined },
    effects: [asksFor({ which: 'due', now: 1_000 })],
  },
  'an answer that nobody asked for changes nothing': {
    after: [[claimed(1)]],
    when: [refilled(3)],
    state: { ready: 1, reserved: 0 },
    effects: [],
  },
  'nor does a failure of nothing': {
    after: [[claimed(1)]],
    when: [{ type: 'refill failed' }],
    state: { refill: { state: 'none' }, reserved: 0 },
    effects: [],
  },
  'a pace gives each round its slot, and holds what is ready until the next': {
    given: { ...OWNER, gapMs: 300 },
    after: [[claimed(2)]],
    when: [started, { at: 1_000 }],
    state: { slot: 1_000, isHeld: true, wakeAt: 1_300 },
    effects: [wakes(1_300)],
  },
  'what expires takes no slot from what is sent behind it': {
    given: { ...OWNER, gapMs: 300 },
    after: [[claimed(2)]],
    when: [{ type: 'started', bytes: 10, isOver: true }, { at: 1_000 }],
    state: { ready: 1, slot: undefined, isHeld: false },
    effects: [],
  },
  'a queue that is held for long is looked at each second': {
    given: { ...OWNER, gapMs: 5_000 },
    after: [[claimed(2)]],
    when: [started, { at: 1_000 }],
    state: { isHeld: true, wakeAt: 2_000 },
    effects: [wakes(2_000)],
  },
  'at its slot it is held no more': {
    given: { ...OWNER, gapMs: 300 },
    after: [[claimed(2)], [started, { at: 1_000 }]],
    when: [{ type: 'tick' }, { at: 1_300 }],
    state: { isHeld: false, wakeAt: undefined },
    effects: [],
  },
  'places are kept, and given back': {
    after: [[{ type: 'reserved' }], [{ type: 'reserved' }]],
    when: [claimed(0, 2)],
    state: { reserved: 0, idleSince: 0 },
    effects: [wakes(POLICY.maxWaitMs)],
  },
  'idle: it is remembered for as long as a circuit could need it': {
    when: [{ type: 'tick' }, { at: 50 }],
    state: { idleSince: 50, wakeAt: 50 + POLICY.maxWaitMs },
    effects: [wakes(50 + POLICY.maxWaitMs)],
  },
  'idle: then it is forgotten': {
    after: [[{ type: 'tick' }]],
    when: [{ type: 'tick' }, { at: POLICY.maxWaitMs }],
    state: { idleSince: 0 },
    effects: [{ type: 'forget' }],
  },
  'idle no more: what comes ends it, and the timer that is set stays': {
    after: [[{ type: 'tick' }]],
    when: [claimed(1), { at: 10 }],
    state: { idleSince: undefined, ready: 1, wakeAt: POLICY.maxWaitMs },
    effects: [],
  },
  'without a pace there are no slots, and nothing is held': {
    after: [[claimed(2)]],
    when: [started],
    state: { slot: undefined, isHeld: false },
    effects: [],
  },
  'where nothing is ready nothing is held': {
    given: { ...OWNER, gapMs: 300 },
    after: [[claimed(1)]],
    when: [started, { at: 1_000 }],
    state: { slot: 1_000, isHeld: false },
    effects: [],
  },
  'not idle: one is ready while a place is kept': {
    after: [[{ type: 'reserved' }]],
    when: [claimed(1)],
    state: { ready: 1, reserved: 1, idleSince: undefined },
    effects: [],
  },
  'closed: storage that gives nothing of what is due is asked again at once, as all lines may move': {
    after: [[stored(0)]],
    when: [refilled(0, { dueAt: 40 })],
    state: { refill: { state: 'none' }, dueAt: 40, wakeAt: 40 },
    effects: [wakes(40)],
  },
});

const OPEN_TO_ALL = newQueue(POLICY);

test.each<[when: string, queue: Partial<DestinationQueue>, given: Partial<Given>, accepted: boolean]>([
  ['of which nothing is known', {}, {}, true],
  ['with later ones in storage', { dueAt: 1 }, {}, true],
  ['with one in storage that is due', { dueAt: 0 }, {}, false],
  ['whose circuit is open', { circuit: OPEN }, {}, false],
  ['that asks storage, or waits for memory', { refill: { state: 'starved' } }, {}, false],
  ['with a place in memory', { ready: 2, reserved: 1 }, {}, true],
  ['whose room is full', { ready: 2, reserved: 2 }, {}, false],
  ['without a share of the limit', {}, SHUT, false],
])('D-26: a queue %s takes a new delivery as claimed, or leaves it to storage', (_when, queue, given, accepted) => {
  expect(accepts({ ...OWNER, ...given }, { ...OPEN_TO_ALL, ...queue })).toBe(accepted);
});

test.each<[when: string, queue: Partial<DestinationQueue>, mayStart: boolean]>([
  ['with one ready', { ready: 1 }, true],
  ['with nothing ready', {}, false],
  ['that waits for its slot', { ready: 1, isHeld: true }, false],
  ['with a place in flight', { ready: 1, inFlight: 1 }, true],
  ['with as many in flight as it may', { ready: 1, inFlight: 2 }, false],
  ['whose last tries may all be sent', { ready: 1, inFlight: 3, circuit: OPEN }, true],
])('D-26: a queue %s may start a round, or not', (_when, queue, mayStart) => {
  expect(canStart(POLICY, { ...OPEN_TO_ALL, ...queue })).toBe(mayStart);
});
