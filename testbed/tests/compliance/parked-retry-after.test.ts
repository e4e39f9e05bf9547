import { expect, test } from 'vitest';
import { auditSchedule } from '../../audit/schedule-audit.ts';
import { SCHEMES } from '../../schemes/index.ts';
import { type Sending, sentAs } from '../support/sent-as.ts';

const POLICY = { parkAfter: 2 };
/** Two failures in a row: from then on the destination may be parked. */
const FAILURES: readonly Sending[] = [
  ['first', 0],
  ['second', 1_000],
];

async function rulesBroken(script: string, sent: readonly Sending[]): Promise<readonly string[]> {
  const observed = await sentAs(SCHEMES.waybill, { script, sent: [...FAILURES, ...sent] });
  return auditSchedule(observed, { policy: POLICY }).map(({ rule }) => rule);
}

const ASKED = '429+retry-after:120s';

test('D-23, D-25: a probe of a parked destination before the moment that it named is found, and after it is none', async () => {
  expect(await rulesBroken(`${ASKED}, ${ASKED}, 200`, [['first', 22_000]])).toEqual(['retry-schedule']);
  expect(await rulesBroken(`${ASKED}, ${ASKED}, 200`, [['first', 120_000]])).toEqual([]);
  expect(await rulesBroken('429, 429, 200', [['first', 22_000]])).toEqual([]);
});

test('D-25: what a destination asked for before it took an event binds nobody', async () => {
  const sent: readonly Sending[] = [
    ['second', 20_000],
    ['first', 2_000],
  ];
  expect(await rulesBroken(`${ASKED}, 429, 200, 200`, sent)).toEqual([]);
});
