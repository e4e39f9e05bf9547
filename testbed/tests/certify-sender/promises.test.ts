import { expect, test } from 'vitest';
import { noRetryWithin } from '../../certify-sender/scenario.ts';
import { certifySender } from '../../certify-sender/index.ts';
import { readSenderOptions } from '../../command-line/certify-sender/options.ts';
import type { Flaw, Outgoing } from '../support/model-sender.ts';
import { type Promises, tryModel } from '../support/tried-senders.ts';

async function seen(flaw: Flaw, promises: Promises) {
  const { results } = await tryModel(flaw, undefined, undefined, promises);
  return new Map(results.map(({ id, verdict, words }) => [id, { verdict, words }]));
}

/** What it sends tells events apart by their ids alone. */
const UNMARKED = (event: Outgoing): Outgoing => ({ ...event, body: JSON.stringify({ event: event.id }) });

test.each([0.5, 1, 5, 20, 100, 200])('a sender with a limit of %d a second passes', async (perSecond) => {
  const found = await seen({ pace: { perSecond } }, { maxPerSecond: perSecond });
  expect(['burst', 'burst-retries', 'rate'].map((id) => found.get(id)?.verdict)).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
  // A limit that keeps events apart says nothing about whether they go out side by side.
  expect(found.get('side-by-side')?.verdict).toBe(perSecond < 5 ? 'skipped' : 'passed');
  expect(found.get('not-held-up')?.verdict).toBe('passed');
});

test.each([
  ['so high that no burst reaches it', 1_000, {}],
  ['that events are made too slowly for', 5, { pace: { perSecond: 5 }, askMs: (number: number) => 300 * number }],
])('a limit %s is not judged', async (_name, maxPerSecond, flaw) => {
  const found = await seen(flaw, { maxPerSecond });
  expect(found.get('rate')?.verdict).toBe('skipped');
  expect(found.get('rate')?.words).toMatch(/events were not made faster than \d+ a second/);
});

test('a sender with a limit and an order passes all but what contradicts an order', async () => {
  const found = await seen({ queue: 'event', pace: { perSecond: 5 } }, { ordered: true, maxPerSecond: 5 });
  const left = [...found].filter(([, { verdict }]) => verdict !== 'passed').map(([id]) => id);
  expect(left).toEqual(['side-by-side', 'not-held-up']);
});

test('without marks an order is seen by ids, and what cannot be seen so is said', async () => {
  const promises = { ordered: true, idField: 'event' };
  expect((await seen({ queue: 'event', event: UNMARKED }, promises)).get('order')).toEqual({
    verdict: 'passed',
    words:
      'all 5 came one after the other, behind retries too; write {mark} into the trigger to see which of two new events comes first',
  });
  const overtaking = await seen({ queue: 'attempt', event: UNMARKED }, promises);
  expect(overtaking.get('order')).toMatchObject({
    verdict: 'failed',
    words: expect.stringMatching(/^attempt 2 of event 1 came after attempt 1 of event 2, which was accepted later;/),
  });
});

test('a sender that gives up at once overtakes nothing: what it lacks is the retry', async () => {
  const found = await seen({ queue: 'event', isOver: () => true }, { ordered: true });
  expect(found.get('order')).toMatchObject({
    verdict: 'failed',
    words: expect.stringMatching(/^no retry came within/),
  });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5'])('a limit of %j is refused', async (given) => {
  const options = { trigger: async () => undefined, maxPerSecond: given };
  await expect(Reflect.apply(certifySender, undefined, [options])).rejects.toThrow(
    `The option maxPerSecond is ${given}; give a number above 0`,
  );
});

test.each(['budgetMs', 'retryWithinMs'])('a %s that no timer can hold is refused', async (option) => {
  for (const ms of [2 ** 31, Number.NaN, 0, Number.POSITIVE_INFINITY]) {
    const asked = certifySender({ trigger: async () => undefined, [option]: ms });
    await expect(asked).rejects.toThrow(`The option ${option} is ${ms}; give milliseconds above 0, at most 2147483647`);
  }
});

test.each(['0', 'x', '-1', '1e9', ''])('--max-per-second %j is refused', (given) => {
  expect(() => readSenderOptions(['--trigger', 'x', `--max-per-second=${given}`])).toThrow(/^--max-per-second is /);
});

test('the flags say what the sender promises', () => {
  const flags = readSenderOptions(['--trigger', 'x', '--max-per-second', '2.5', '--ordered']);
  expect(flags).toMatchObject({ maxPerSecond: 2.5, ordered: true });
  expect(readSenderOptions(['--trigger', 'x'])).toMatchObject({ ordered: false });
});

test.each([
  [2_500, 'failed'],
  [2_499, 'failed'],
  [2_490, 'skipped'],
] as const)(
  'a retry that did not come within %i ms of 2,500 is %s: two clocks may read a millisecond apart',
  (ms, verdict) => {
    expect(noRetryWithin({ times: { promisedMs: 2_500 } }, ms).verdict).toBe(verdict);
  },
);
