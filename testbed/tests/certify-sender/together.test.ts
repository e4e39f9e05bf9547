import { expect, test } from 'vitest';
import type { Flaw } from '../support/model-sender.ts';
import { tryModel } from '../support/tried-senders.ts';

type Wait = Parameters<NonNullable<Flaw['waitMs']>>[0];

/** Tries again sooner than a new event can come. */
const HASTY: Flaw = { startMs: () => 700, waitMs: ({ ms }, rightMs) => Math.max(ms, rightMs / 25) };
/** Is done with all attempts before a new event can come. */
const SOON_OVER: Flaw = { ...HASTY, waitMs: ({ ms }) => Math.max(ms, 20) };
/** Gives an answer so little time that events come further apart than it. */
const SCATTERED: Flaw = { startMs: (number) => 100 + (number % 6) * 200, deadlineMs: 300 };

async function seen(id: string, flaw: Flaw) {
  const { results } = await tryModel(flaw);
  const { verdict, words } = results.find((result) => result.id === id) ?? {};
  return { verdict, words };
}

test('a retry that overtakes a new event does not show that the event was held up', async () => {
  expect(await seen('not-held-up', HASTY)).toEqual({
    verdict: 'passed',
    words: 'the next event came 700 ms after it was asked for, while the one before failed',
  });
});

test('a retry of the failing event may wait longer than any first one', async () => {
  // Its fourth wait is of 8 s, when the next event has come after 7.5.
  const slow = { startMs: () => 7_500, waitMs: ({ ms }: Wait, rightMs: number) => Math.max(ms, rightMs / 5) };
  const { results } = await tryModel(slow, 1_800_000, 2_000);
  expect(results.find(({ id }) => id === 'not-held-up')?.verdict).toBe('passed');
});

test('a sender as hasty whose events wait for the one before is still told so', async () => {
  expect(await seen('not-held-up', { ...HASTY, queue: 'event' })).toMatchObject({
    verdict: 'advice',
    words: expect.stringMatching(/only once the one before was answered 200; send events side by side$/),
  });
});

test('a serial sender that gives up before a new event could come is not judged', async () => {
  expect(await seen('not-held-up', { ...SOON_OVER, queue: 'event' })).toMatchObject({
    verdict: 'skipped',
    words: expect.stringMatching(/^not judged: the event before was given up/),
  });
});

test('events that come further apart than answers may take do not show that they go out one after the other', async () => {
  expect(await seen('side-by-side', SCATTERED)).toMatchObject({
    verdict: 'skipped',
    words: expect.stringMatching(/^not judged: /),
  });
  expect(await seen('side-by-side', { ...SCATTERED, queue: 'attempt', startMs: () => 10 })).toMatchObject({
    verdict: 'advice',
    words: 'they came one after the other; send several side by side',
  });
});

const BUDGET_MS = 40_000;

test('a budget that is over before its scenarios leaves time to see whether every event arrives', async () => {
  const { results } = await tryModel({}, BUDGET_MS);
  expect(results.filter(({ words }) => words === 'not judged: the budget was over').length).toBeGreaterThan(0);
  expect(results.filter(({ id }) => id === 'last-event' || id === 'all-arrive')).toMatchObject([
    { id: 'last-event', verdict: 'passed' },
    { id: 'all-arrive', verdict: 'passed' },
  ]);
});

test('what is lost in a budget that is soon over is found', async () => {
  const { results } = await tryModel({ forgets: (_underWay, failures) => failures > 3 }, BUDGET_MS);
  expect(results.filter(({ id }) => id === 'last-event' || id === 'all-arrive')).toMatchObject([
    { id: 'last-event', verdict: 'failed' },
    { id: 'all-arrive', verdict: 'failed' },
  ]);
});
