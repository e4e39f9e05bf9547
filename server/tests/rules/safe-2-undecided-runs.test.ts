import { expect, test } from 'vitest';
import { undecidedReason, undecidedSince } from '../../jobs/undecided-since.ts';
import type { Sync } from '../../model/sync.ts';

const NAME = 'workspaces/main/audiences/aud_1';
const AT = Date.UTC(2026, 10, 20, 12);
const SECOND = 1_000;

function sync(number: number, startedAt: number, more: Partial<Sync> = {}): Sync {
  const none = { sent: 0, delivered: 0, failed: 0, expired: 0, superseded: 0, held: 0 };
  return { computation: NAME, number, state: 'RUNNING', startedAt, cursor: { destinations: [] }, ...none, ...more };
}

const FOUND = new Date(AT).toISOString();

/** As one that knew of what was found until then. */
const done = (number: number, startedAt: number, undecided?: string): Sync =>
  sync(number, startedAt, {
    state: 'DONE',
    computed: { evaluated: 0, size: 0, entered: 0, left: 0 },
    basis: { updateTime: FOUND, made: {}, undecided },
  });

/** Of a run behind these, where an event was undecided at AT. */
async function reasonBehind(...before: readonly Sync[]): Promise<string | undefined> {
  const { lastTime, reason } = await undecidedSince(sync(before.length + 1, AT + 60 * SECOND), {
    losses: { undecided: async () => new Map([[NAME, { count: 1, lastTime: FOUND }]]) },
    tellings: {
      listSyncs: async ({ before: number = Infinity, limit }) =>
        before
          .filter((one) => one.number < number)
          .toReversed()
          .slice(0, limit),
    },
  });
  expect(lastTime).toBe(FOUND);
  return reason;
}

test('SAFE-2: one run fails for what was undecided, and none after it, however soon they begin', async () => {
  const reason = await reasonBehind(done(1, AT - 60 * SECOND));
  expect(reason).toContain('2026-11-20T12:00:00.000Z');
  const failed = sync(2, AT + SECOND, { state: 'FAILED', reason });
  expect(await reasonBehind(done(1, AT - 60 * SECOND), failed)).toBeUndefined();
  expect(await reasonBehind(done(1, AT - 60 * SECOND), failed, done(3, AT + 2 * SECOND, FOUND))).toBeUndefined();
  // Twin: another run that failed, or was cancelled before anything was computed, has not told of it.
  expect(await reasonBehind({ ...failed, reason: 'the disk is full' })).toBe(reason);
  expect(await reasonBehind(sync(1, AT + 9 * SECOND, { state: 'CANCELLED' }))).toBe(reason);
});

test('SAFE-2: what another router found, whose clock is behind, fails the next run', async () => {
  expect(await reasonBehind()).toBeDefined();
  expect(await reasonBehind(done(1, AT + 3_600 * SECOND))).toBeDefined();
  expect(await reasonBehind(done(1, AT + 3_600 * SECOND, new Date(AT - SECOND).toISOString()))).toBeDefined();
  expect(await reasonBehind(done(1, AT - 3_600 * SECOND, FOUND))).toBeUndefined();
});

test('SAFE-2: where events are undecided all the time, every second run goes on', async () => {
  const earlier = new Date(AT - SECOND).toISOString();
  const failed = { state: 'FAILED', reason: undecidedReason(earlier) } as const;
  expect(await reasonBehind(sync(1, AT - 60 * SECOND, failed))).toBeUndefined();
  expect(await reasonBehind(sync(1, AT - 90 * SECOND, failed), done(2, AT - 60 * SECOND, earlier))).toBeDefined();
  // Twin: what another run failed for, before one that was computed, has told of nothing that came later.
  expect(await reasonBehind(sync(1, AT - 60 * SECOND, { ...failed, reason: 'the disk is full' }))).toBeDefined();
});

test('SAFE-2: however many runs computed nothing, what one was computed without, or has failed for, fails no other', async () => {
  const nothing = Array.from({ length: 25 }, (_, index) => sync(index + 2, AT + SECOND, { state: 'CANCELLED' }));
  expect(await reasonBehind(done(1, AT + SECOND, FOUND), ...nothing)).toBeUndefined();
  const failed = sync(1, AT + SECOND, { state: 'FAILED', reason: undecidedReason(FOUND) });
  expect(await reasonBehind(failed, ...nothing)).toBeUndefined();
});
