import { expect, test } from 'vitest';
import {
  afterRound,
  type Circuit,
  closedCircuit,
  limitOf,
  probed,
  probing,
  firstLimit,
} from '../../delivery/circuit.ts';
import type { RoundResult } from '../../delivery/round.ts';
import { deliveryId } from '../../model/delivery.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';

const AT = 50_000;
/** Waits of 1, 2, 4 and 8 seconds, of which the draw takes three quarters. */
const POLICY: DeliveryPolicy = {
  ...DEFAULT_POLICY,
  firstWaitMs: 1_000,
  maxWaitMs: 8_000,
  perDestination: 6,
  rampStart: 2,
  parkAfter: 3,
};
const DRAW = 0.5;

const closed = (limit: number, failures: number): Circuit => ({ state: 'closed', limit, failures });
const open = (probes: number, probeAt: number): Circuit => ({ state: 'open', probes, probeAt });
/** Its probe is the delivery of this number, where there is one yet. */
const halfOpen = (probes: number, probe?: number): Circuit => {
  return { state: 'half-open', probes, probe: probe === undefined ? undefined : deliveryId(String(probe)) };
};

/** After a round of delivery 7. */
function after(circuit: Circuit, result: RoundResult): Circuit {
  return afterRound(POLICY, circuit, { delivery: deliveryId('7'), result, draw: DRAW }, AT);
}

test('D-25: a destination begins at its start, within its limit, with one place at least', () => {
  expect(closedCircuit(POLICY)).toEqual(closed(2, 0));
  expect(firstLimit({ ...POLICY, rampStart: 9 })).toBe(6);
  expect(firstLimit({ ...POLICY, rampStart: 0 })).toBe(1);
  expect(firstLimit({ ...POLICY, perDestination: 0 })).toBe(1);
});

test('D-25: the limit is that of the ramp while the circuit is closed, and that of the destination else', () => {
  expect(limitOf(POLICY, closed(4, 0))).toBe(4);
  expect(limitOf(POLICY, closed(40, 0))).toBe(6);
  expect(limitOf(POLICY, open(1, AT))).toBe(6);
  expect(limitOf(POLICY, halfOpen(1, 7))).toBe(6);
});

test.each<readonly [what: string, before: Circuit, result: RoundResult, then: Circuit]>([
  ['a success allows one more, and forgets failures', closed(4, 2), 'delivered', closed(5, 0)],
  ['a success at the limit allows no more', closed(6, 0), 'delivered', closed(6, 0)],
  ['a failure is counted, and costs no place', closed(4, 1), 'failed', closed(4, 2)],
  ['as many failures as may be open the circuit', closed(4, 2), 'failed', open(1, AT + 750)],
  ['a refusal says nothing', closed(4, 2), 'refused', closed(4, 2)],
  ['what was not sent says nothing', closed(4, 2), 'unsent', closed(4, 2)],
  ['what was not judged says nothing', closed(4, 2), 'unjudged', closed(4, 2)],
])('D-25: while closed, %s', (_what, before, result, then) => {
  expect(after(before, result)).toEqual(then);
});

test.each(['delivered', 'refused', 'unsent'] as const)('D-25: a round that was %s closes the circuit', (result) => {
  for (const before of [open(3, AT + 1), halfOpen(3), halfOpen(3, 7), halfOpen(3, 8)]) {
    expect(after(before, result)).toEqual(closed(2, 0));
  }
});

test.each(['failed', 'unjudged'] as const)('D-25: a round that %s, and is no probe, changes nothing', (result) => {
  for (const before of [open(3, AT + 1), halfOpen(3), halfOpen(3, 8)]) {
    expect(after(before, result)).toBe(before);
  }
});

test('HOOK-9, D-25: no probe comes before the moment that a Retry-After named since the last success', () => {
  const told = (circuit: Circuit, retryAfterMs: number, result: RoundResult = 'failed'): Circuit =>
    afterRound(POLICY, circuit, { delivery: deliveryId('7'), result, retryAfterMs, draw: DRAW }, AT);
  const asked = told(closed(4, 1), 60_000);
  expect(asked).toEqual({ ...closed(4, 2), notBefore: AT + 60_000 });
  expect(after(asked, 'failed')).toEqual(open(1, AT + 60_000));
  expect(told(asked, 90_000)).toEqual(open(1, AT + 90_000));
  expect(told(asked, 500)).toEqual(open(1, AT + 60_000));
  expect(after(asked, 'delivered')).toEqual(closed(5, 0));
  // Of what was under way when the circuit opened.
  expect(told(open(1, AT + 750), 60_000)).toEqual(open(1, AT + 60_000));
  expect(told(open(1, AT + 750), 500)).toEqual(open(1, AT + 750));
  const beside = told(halfOpen(1, 8), 60_000);
  expect(beside).toEqual({ ...halfOpen(1, 8), notBefore: AT + 60_000 });
  expect(probed(told(halfOpen(1), 60_000), undefined, AT)).toEqual(open(1, AT + 60_000));
  expect(told(halfOpen(1, 7), 60_000)).toEqual(open(2, AT + 60_000));
  expect(told(halfOpen(1, 7), 500)).toEqual(open(2, AT + 1_500));
});

test('D-25: a probe that failed is followed by the next one on the schedule', () => {
  expect(after(halfOpen(1, 7), 'failed')).toEqual(open(2, AT + 1_500));
  expect(after(halfOpen(2, 7), 'failed')).toEqual(open(3, AT + 3_000));
});

test('D-25: a probe that says nothing is followed by another, soon, which counts as the same', () => {
  expect(after(halfOpen(4, 7), 'unjudged')).toEqual(open(4, AT + 750));
});

test('D-25: asked for a probe, an open circuit is half-open, and no other is', () => {
  expect(probing(open(3, AT))).toEqual(halfOpen(3));
  for (const circuit of [closed(4, 1), halfOpen(3, 7)]) expect(probing(circuit)).toBe(circuit);
});

test('D-25: storage has a probe, or has none: then the next is due at once', () => {
  expect(probed(halfOpen(3), deliveryId('9'), AT)).toEqual(halfOpen(3, 9));
  expect(probed(halfOpen(3), undefined, AT)).toEqual(open(3, AT));
  for (const circuit of [closed(4, 1), open(3, AT + 1)]) expect(probed(circuit, deliveryId('9'), AT)).toBe(circuit);
});
