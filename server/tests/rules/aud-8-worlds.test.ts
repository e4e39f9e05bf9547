import { expect, test } from 'vitest';
import { tellingDifferencesIn } from '../oracle/telling-world.ts';
import type { Stores } from '../support/audience-world.ts';

const WORLDS = 5;

test(`AUD-3, AUD-8: in ${WORLDS} random worlds that change while they are told, the last that is heard of each user is right`, async () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    expect(await tellingDifferencesIn(seed), `seed ${seed}`).toEqual([]);
  }
});

test('the oracle finds a router that thinks a new destination has heard what one of its name heard', async () => {
  let found: readonly string[] = [];
  for (let seed = 1; seed <= 10 && found.length === 0; seed += 1) found = await tellingDifferencesIn(seed, forgetting);
  expect(found).not.toEqual([]);
});

function forgetting({ tellings, profiles }: Stores): Stores {
  return { tellings: Object.assign(Object.create(tellings), { forgetTold: nothing }), profiles };
}

async function nothing(): Promise<boolean> {
  return false;
}
