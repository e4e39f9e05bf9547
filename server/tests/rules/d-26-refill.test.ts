import { expect, test } from 'vitest';
import type { Circuit } from '../../delivery/circuit.ts';
import { type Given, grantFor, type Memory, roomFor, wanted } from '../../delivery/refill.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';
import type { Claiming } from '../../storage/delivery-storage.ts';

const AT = 1_000_000;
/** Room of 4 at the start, of 16 at half of the limit, of 64 at the whole. */
const POLICY: DeliveryPolicy = {
  ...DEFAULT_POLICY,
  windowMs: 100_000,
  deadlineMs: 5_000,
  perDestination: 8,
  rampStart: 2,
  queueRoom: 64,
};
/** The oldest that is about to end was accepted then. */
const LAST_TRY = AT - 95_000;
const MUCH: Memory = { free: 1_000, unproven: 1_000, shared: 1_000, trials: 1_000, refills: 1 };

const given = (policy: Partial<DeliveryPolicy> = {}, memory = MUCH): Given => ({
  policy: { ...POLICY, ...policy },
  isOwner: true,
  at: AT,
  memory,
});
const closed = (limit: number): Circuit => ({ state: 'closed', limit, failures: 0 });
const open = (probeAt: number): Circuit => ({ state: 'open', probes: 1, probeAt });
const HALF_OPEN: Circuit = { state: 'half-open', probes: 1, probe: undefined };

function holding(circuit: Circuit, given_: { dueAt?: number; oldestAt?: number; ready?: number; reserved?: number }) {
  const empty = { dueAt: undefined, oldestAt: undefined, ready: 0, reserved: 0, inFlight: 0 };
  return { circuit, isProven: false, standing: 'answers' as const, ...empty, ...given_ };
}

test('D-26: nothing is brought where nothing waits, nor where nothing may be sent', () => {
  for (const circuit of [closed(8), open(AT), HALF_OPEN]) {
    expect(wanted(given(), holding(circuit, { oldestAt: LAST_TRY }))).toBeUndefined();
    expect(wanted(given({ perDestination: 0 }), holding(circuit, { dueAt: AT, oldestAt: LAST_TRY }))).toBeUndefined();
  }
});

test('D-26: what is due is brought once half of the room is empty', () => {
  const DUE = { which: 'due', now: AT };
  expect(wanted(given(), holding(closed(8), { dueAt: AT }))).toEqual(DUE);
  expect(wanted(given(), holding(closed(8), { dueAt: AT + 1 }))).toBeUndefined();
  expect(wanted(given(), holding(closed(8), { dueAt: AT, ready: 31 }))).toEqual(DUE);
  expect(wanted(given(), holding(closed(8), { dueAt: AT, ready: 32 }))).toBeUndefined();
  // Half of the limit is a quarter of the room.
  expect(wanted(given(), holding(closed(4), { dueAt: AT, ready: 7 }))).toEqual(DUE);
  expect(wanted(given(), holding(closed(4), { dueAt: AT, ready: 8 }))).toBeUndefined();
});

test('D-25: while a circuit is not closed, last tries come first, then one probe', () => {
  const lastTries = { which: 'received', upTo: LAST_TRY };
  for (const circuit of [open(AT), open(AT + 1), HALF_OPEN]) {
    expect(wanted(given(), holding(circuit, { dueAt: AT + 1, oldestAt: LAST_TRY }))).toEqual(lastTries);
  }
  for (const oldestAt of [LAST_TRY + 1, undefined]) {
    const own = { dueAt: AT + 1, ...(oldestAt === undefined ? {} : { oldestAt }) };
    expect(wanted(given(), holding(open(AT), own))).toEqual({ which: 'probe' });
    expect(wanted(given(), holding(open(AT + 1), own))).toBeUndefined();
    expect(wanted(given(), holding(HALF_OPEN, own))).toBeUndefined();
  }
});

test('D-26: room grows with the square of what a destination has proven, and has one place at least', () => {
  const roomAt = (limit: number) => roomFor(given({ rampStart: 1 }), holding(closed(limit), {}));
  expect([1, 2, 4, 8, 80].map(roomAt)).toEqual([1, 4, 16, 64, 64]);
  expect(roomFor(given({ rampStart: 1, queueRoom: 1 }), holding(closed(1), {}))).toBe(1);
  expect(roomFor(given(), holding(open(AT), {}))).toBe(64);
});

test('D-26: what is ready and what is reserved takes room', () => {
  expect(roomFor(given(), holding(closed(8), { ready: 10, reserved: 4 }))).toBe(50);
  expect(roomFor(given(), holding(closed(8), { ready: 60, reserved: 4 }))).toBe(0);
  expect(roomFor(given(), holding(closed(2), { ready: 5, reserved: 1 }))).toBe(-2);
});

test('D-26: where all queues have little memory left, one that has few may still take from what is kept for such', () => {
  const queue = holding(closed(8), { ready: 1 });
  const roomIn = (memory: Partial<Memory>) => roomFor(given({}, { ...MUCH, ...memory }), queue);
  expect(roomIn({ shared: 20 })).toBe(20);
  expect(roomIn({ shared: 0 })).toBe(3);
  expect(roomIn({ unproven: 2, shared: 0 })).toBe(2);
  expect(roomIn({ unproven: 0, shared: 0 })).toBe(0);
});

test('D-26: the last of the memory is for destinations that are proven and have few', () => {
  const memory = { free: 1_000, unproven: 0, shared: -1_000, trials: 1_000, refills: 1 };
  const [proven, other] = [true, false].map((isProven) => ({ ...holding(closed(8), { ready: 1 }), isProven }));
  const rooms = [proven, other].map((queue) => queue && roomFor(given({}, memory), queue));
  expect(rooms).toEqual([3, 0]);
  expect(proven && roomFor(given({}, { ...memory, free: 0 }), proven)).toBe(0);
});

test('D-26: while enough others ask storage, a queue does not', () => {
  const queue = holding(closed(8), {});
  const due = { which: 'due', now: AT } as const;
  expect(grantFor(given({}, { ...MUCH, refills: 0 }), queue, due)).toBeUndefined();
  expect(grantFor(given({}, { ...MUCH, refills: 1 }), queue, due)).toBeDefined();
});

test('D-25: last tries wait for no pace of trials, what is due and probes do', () => {
  const queue = { ...holding(open(AT), {}), standing: 'fails' as const };
  const grantIn = (trials: number, claiming: Claiming) => grantFor(given({}, { ...MUCH, trials }), queue, claiming);
  expect(grantIn(0, { which: 'received', upTo: AT })).toMatchObject({ limit: 8 });
  expect(grantIn(0, { which: 'due', now: AT })).toBeUndefined();
  expect(grantIn(0, { which: 'probe' })).toBeUndefined();
  expect(grantIn(1, { which: 'probe' })).toMatchObject({ limit: 1 });
});

test('D-26: a refill brings as much as there is room for, within the bytes that are parsed in one go', () => {
  const due = { which: 'due', now: AT } as const;
  expect(grantFor(given(), holding(closed(8), { ready: 4 }), due)).toEqual({ limit: 60, bytes: 60 * 32_768 });
  expect(grantFor(given({ queueRoom: 640 }), holding(closed(8), {}), due)).toEqual({ limit: 640, bytes: 2_097_152 });
  expect(grantFor(given(), holding(closed(8), {}), { which: 'probe' })).toEqual({ limit: 1, bytes: 32_768 });
  const received = { which: 'received', upTo: AT } as const;
  expect(grantFor(given(), holding(open(AT), {}), received)).toEqual({ limit: 8, bytes: 8 * 32_768 });
});

test('D-26: storage is not asked for a handful of claims, unless fewer are wanted', () => {
  const due = { which: 'due', now: AT } as const;
  expect(grantFor(given(), holding(closed(8), { ready: 56 }), due)).toMatchObject({ limit: 8 });
  expect(grantFor(given(), holding(closed(8), { ready: 57 }), due)).toBeUndefined();
  expect(grantFor(given(), holding(closed(8), { ready: 63 }), { which: 'probe' })).toMatchObject({ limit: 1 });
  expect(grantFor(given(), holding(closed(8), { ready: 64 }), { which: 'probe' })).toBeUndefined();
  // Room of four in all: half of it will do.
  expect(grantFor(given(), holding(closed(2), { ready: 2 }), due)).toMatchObject({ limit: 2 });
  expect(grantFor(given(), holding(closed(2), { ready: 3 }), due)).toBeUndefined();
});
