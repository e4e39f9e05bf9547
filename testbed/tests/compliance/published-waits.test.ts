import { expect, test } from 'vitest';
import { auditSchedule } from '../../audit/index.ts';
import { SCHEMES } from '../../schemes/index.ts';
import { assertSent } from '../../node-test/index.ts';
import { sentAs } from '../support/sent-as.ts';

const FAILING = '503 x*';
const OPTIONS = { waits: ['5s', '5m', '30m'], policy: { deadlineMs: 15_000 } } as const;

/** What is said of attempts with these waits between them, observed for so long. */
async function said(waitsMs: readonly number[], more: object = {}, script = FAILING): Promise<readonly string[]> {
  const sent = [0, ...waitsMs].map((ms) => ['first', ms] as const);
  const observed = await sentAs(SCHEMES['standard-webhooks'], { script, sent });
  return auditSchedule(observed, { ...OPTIONS, ...more }).map(({ rule, words }) => `${rule}: ${words}`);
}

const MINUTE = 60_000;

test('the waits that a sender publishes are kept to, each with some spread', async () => {
  expect(await said([5_000, 5 * MINUTE, 30 * MINUTE])).toEqual([]);
  expect(await said([6_900, 4.1 * MINUTE, 35 * MINUTE])).toEqual([]);
  expect(await said([5_000, 5 * MINUTE], {}, '503x2,200')).toEqual([]);
});

test.each<[string, readonly number[], object, string]>([
  ['too early', [5_000, MINUTE], {}, 'retry-schedule: #3'],
  ['too late', [5_000, 10 * MINUTE], {}, 'the schedule says 4 min to 6 min'],
  ['one too many', [5_000, 5 * MINUTE, 30 * MINUTE, 30 * MINUTE], {}, 'came after all 3 retries of the schedule'],
  ['beyond the tolerance', [5_600], { toleranceMs: 500 }, 'the schedule says 4.5 s to 5.5 s'],
])('an attempt that comes %s is found', async (_what, waits, more, words) => {
  expect((await said(waits, more)).join()).toContain(words);
});

test('a retry that does not come is found, and one after a success', async () => {
  const [observed] = [await sentAs(SCHEMES.stripe, { script: FAILING, sent: [['first', 0]] })];
  const until = (observed[0]?.at ?? 0) + MINUTE;
  expect(auditSchedule(observed, { ...OPTIONS, until })).toMatchObject([{ rule: 'retry-window' }]);
  expect(auditSchedule(observed, { ...OPTIONS, until: until - 55_000 })).toEqual([]);
  expect((await said([5_000], {}, '200')).join()).toContain('first-success-ends');
});

test.each<[object, string]>([
  [{ waits: [] }, 'waits lists no wait'],
  [{ waits: ['5 minutes'] }, "In waits, '5 minutes' is no duration; write a number and a unit"],
  [{ waits: [5_000] }, 'In waits, 5000 is no duration'],
  [{ policy: { deadlineMs: 1, firstWaitMs: 5 } }, 'firstWaitMs is of a schedule that doubles its waits'],
  [{ wait: ['5s'] }, 'The schedule has no wait; did you mean waits?'],
  [{ policy: { firstWaitMS: 5_000 } }, 'The policy has no firstWaitMS; did you mean firstWaitMs?'],
  [{ policy: { deadlineMs: '15s' } }, 'deadlineMs is "15s"; give a number, 0 or more'],
  [{ toleranceMs: -1 }, 'toleranceMs is -1; give a number, 0 or more'],
  [{ toleranceMs: Number.NaN }, 'toleranceMs is NaN; give a number'],
])('figures that cannot be are refused, %#', async (more, words) => {
  await expect(said([5_000], more)).rejects.toThrow(words);
});

test('a slip in a name is found for Waybill as well, also turned round', async () => {
  const observed = await sentAs(SCHEMES.waybill, { script: '200', sent: [['first', 0]] });
  // As from JavaScript: the type has no such name.
  const options: object = { policy: { firstWaitMS: 1 } };
  for (const assertion of [assertSent(observed), assertSent(observed).not])
    expect(() => assertion.toMatchRetrySchedule(options)).toThrow('did you mean firstWaitMs?');
});
