import { expect, test } from 'vitest';
import { type DestinationQueue, newQueue, reduce } from '../../delivery/destination-queue.ts';
import type { QueueEffect, QueueEvent } from '../../delivery/queue-events.ts';
import type { Given } from '../../delivery/refill.ts';
import { deliveryId } from '../../model/delivery.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../model/policy.ts';

/** Round figures: two rounds at first, at most four; two failures open the circuit; the first wait is 5 s at draw 0. */
export const POLICY: DeliveryPolicy = {
  ...DEFAULT_POLICY,
  perDestination: 4,
  rampStart: 2,
  parkAfter: 2,
  queueRoom: 16,
};
export const LAST_TRY = POLICY.windowMs - POLICY.deadlineMs;
export const ALL_MEMORY: Given['memory'] = {
  free: Infinity,
  unproven: Infinity,
  shared: Infinity,
  trials: Infinity,
  refills: 1,
};
export const NO_MEMORY: Given['memory'] = { ...ALL_MEMORY, free: 0, unproven: 0, shared: 0 };
export const OWNER: Given = { policy: POLICY, isOwner: true, at: 0, memory: ALL_MEMORY };
export const GUEST: Given = { ...OWNER, isOwner: false };
export const SHUT: Given = { ...OWNER, policy: { ...POLICY, perDestination: 0 } };

/** One event, and what the reducer is given with it, where that is not the owner's at 0. */
export type Happening = readonly [event: QueueEvent, given?: Partial<Given>];

export const PROBE = deliveryId('p');
export const stored = (dueAt: number, receivedAt = 0): QueueEvent => ({ type: 'stored', dueAt, receivedAt });
/** Of an accept for which so many places were kept. */
export const claimed = (count: number, places = 0): QueueEvent => ({
  type: 'claimed',
  count,
  bytes: 10 * count,
  places,
});
export const refilled = (count: number, rest: Partial<Extract<QueueEvent, { type: 'refilled' }>> = {}): QueueEvent => ({
  type: 'refilled',
  first: count === 0 ? undefined : PROBE,
  count,
  bytes: 10 * count,
  dueAt: undefined,
  oldestAt: undefined,
  ...rest,
});
export const started: QueueEvent = { type: 'started', bytes: 10 };
export const ended = (
  result: 'delivered' | 'failed' | 'refused' | 'unjudged',
  delivery = deliveryId('d'),
): QueueEvent => ({
  type: 'ended',
  delivery,
  result,
  draw: 0,
});
export const failTwice: readonly Happening[] = [
  [claimed(2)],
  [started],
  [started],
  [ended('failed')],
  [ended('failed')],
];
/** Open since 0, with something of before that waits in storage; its first probe is due at 5 s. */
export const opened: readonly Happening[] = [...failTwice, [stored(1_000)]];
export const probeAsked: readonly Happening[] = [...opened, [{ type: 'tick' }, { at: 5_000 }]];
export const OPEN = { state: 'open', probes: 3, probeAt: 9_000 } as const;
export const heardOpen: QueueEvent = { type: 'heard', circuit: OPEN };

/** The last of these events, after all before it. */
function lastOf(
  given: Given,
  happenings: readonly Happening[],
  standing: DestinationQueue['standing'],
): { state: DestinationQueue; effects: QueueEffect[] } {
  let state: DestinationQueue = { ...newQueue(POLICY), standing };
  let effects: readonly QueueEffect[] = [];
  for (const [event, more] of happenings) ({ state, effects } = reduce({ ...given, ...more }, state, event));
  return { state, effects: [...effects] };
}

/** A queue of which nothing is known but its standing, what happened to it before, and what the last event makes of it. */
export interface Row {
  /** As of one that answers, unless it is said. */
  readonly standing?: DestinationQueue['standing'];
  readonly given?: Given;
  readonly after?: readonly Happening[];
  readonly when: Happening;
  readonly state: Partial<DestinationQueue>;
  readonly effects: readonly QueueEffect[];
}

export const asksFor = (request: object): QueueEffect => ({
  type: 'refill',
  request: expect.objectContaining(request),
});
export const wakes = (at: number): QueueEffect => ({ type: 'wake', at });
export const putsBack = (count: number): QueueEffect => ({ type: 'put back', count });

/** A test for each row, by its name. */
export function checkSteps(rows: Readonly<Record<string, Row>>): void {
  test.each(Object.entries(rows))(
    'D-25: %s',
    (_name, { standing = 'answers', given = OWNER, after = [], when, state, effects }) => {
      const last = lastOf(given, [...after, when], standing);
      expect(last.state).toMatchObject(state);
      expect(last.effects).toEqual(effects);
    },
  );
}
