import { expect, test } from 'vitest';
import { complaints, killsOf } from '../support/complaints.ts';
import { FLAWED_SENDERS } from '../support/flawed-senders.ts';

const KILLS = await killsOf(FLAWED_SENDERS);

test('the matchers have no complaint about the production engine, on twelve seeds', async () => {
  for (let seed = 1; seed <= 12; seed += 1) expect(await complaints({}, seed)).toEqual([]);
});

test.each(KILLS)('a sender that $sender is caught', ({ complaints: found }) => {
  expect(found).not.toEqual([]);
});

test('at least twenty-five flawed senders are tried', () => {
  expect(KILLS.length).toBeGreaterThanOrEqual(25);
});

test('the tests of flawed senders can fail: the matchers accept a sender without a flaw', async () => {
  expect(await killsOf({ 'is perfect': {} })).toEqual([{ sender: 'is perfect', complaints: [] }]);
});
