import { expect, test } from 'vitest';
import { deliveryMatchers } from '../../vitest/index.ts';
import { FLAWED_SENDERS } from '../support/flawed-senders.ts';
import { endOf, observe, SECRET, type Situation, STATIC, type Twist } from '../support/sender.ts';

expect.extend(deliveryMatchers);

/** Endpoints in which a sender can show what it does. */
const SITUATIONS: readonly Situation[] = [
  { script: '200', events: 14, hours: 2 },
  { script: '503x3,200', events: 14, hours: 3 },
  { script: 'silence:request x2,200', events: 7, hours: 2 },
  { script: '429+retry-after:2m,200', events: 7, hours: 2 },
  { script: '404', events: 7, hours: 2 },
  { script: '503 x*', events: 1, hours: 7 },
];

/** The matchers that find something wrong with a sender, in any situation. */
async function complaints(twist: Twist, seed = 1): Promise<readonly string[]> {
  const found = await Promise.all(
    SITUATIONS.map(async (situation) => {
      const sent = await observe(situation, twist, seed);
      const isTaken = situation.script.endsWith('200');
      const until = endOf(situation);
      const delivered = () => expect(sent).toHaveDelivered({ headers: STATIC, count: situation.events });
      return [
        await saidBy(() => expect(sent).toBeSignedWith(SECRET)),
        await saidBy(() => expect(sent).toMatchRetrySchedule({ until, toleranceMs: 0 })),
        isTaken ? await saidBy(delivered) : '',
      ];
    }),
  );
  return found.flat().filter((words) => words !== '');
}

async function saidBy(check: () => void | Promise<void>): Promise<string> {
  try {
    await check();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('the matchers have no complaint about the production engine, on twelve seeds', async () => {
  for (let seed = 1; seed <= 12; seed += 1) expect(await complaints({}, seed)).toEqual([]);
});

test.each(Object.entries(FLAWED_SENDERS))('a sender that %s is caught', async (_name, twist) => {
  expect(await complaints(twist)).not.toEqual([]);
});

test('at least twenty-five flawed senders are tried', () => {
  expect(Object.keys(FLAWED_SENDERS).length).toBeGreaterThanOrEqual(25);
});
