import { expect, test } from 'vitest';
import { tellingDifferencesIn } from '../oracle/telling-world.ts';
import type { Stores } from '../support/audience-world.ts';
import { AUDIENCE_MISTAKES } from '../support/broken-tellings.ts';

/** `scripts/audiences.ts --telling` takes more. */
const WORLDS = 3;

test(`AUD-3, AUD-8: in ${WORLDS} random worlds that change while they are told, of receivers that fail or do not, the last that is heard of each user is right`, async () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    expect(await tellingDifferencesIn(seed), `seed ${seed}`).toEqual([]);
  }
});

test('the oracle finds a router that thinks a new destination has heard what one of its name heard', async () => {
  expect(await firstFound(forgetting)).not.toEqual([]);
});

test('the oracle finds a router that sends what a later value has replaced', { tags: ['long'] }, async () => {
  expect(await firstFound(repeating, 21)).not.toEqual([]);
});

/** Of twenty worlds. */
async function firstFound(spoil: (stores: Stores) => Stores, from = 1): Promise<readonly string[]> {
  let found: readonly string[] = [];
  for (let seed = from; seed < from + 20 && found.length === 0; seed += 1)
    found = await tellingDifferencesIn(seed, spoil);
  return found;
}

function forgetting({ tellings, profiles }: Stores): Stores {
  return { tellings: Object.assign(Object.create(tellings), { forgetTold: nothing }), profiles };
}

function repeating({ tellings, profiles }: Stores): Stores {
  const broken = AUDIENCE_MISTAKES['sends what a later value has replaced']?.(tellings);
  return { tellings: Object.assign(Object.create(tellings), broken), profiles };
}

async function nothing(): Promise<boolean> {
  return false;
}
