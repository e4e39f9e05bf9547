import { expect, test } from 'vitest';
import { explain, hourOfChange } from '../../audiences/explain.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import { memoryProfilesPlace } from '../conformance/profile-place.ts';
import { differencesIn, type Explaining } from '../oracle/differences.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { Caught } from '../../storage/inbox.ts';
import { NOT_OF_WHO_HAS_A_TRAIT, NOTHING_IS_MISSING, shifted, type Spoil } from '../support/changed-plans.ts';

/** `scripts/audiences.ts` takes 10,000. */
const WORLDS = 50;

test(`AUD-6, AUD-7, AUD-10: the engine finds what brute force does, in ${WORLDS} random worlds`, async () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const differences = await differencesIn(seed, () => memoryProfilesPlace());
    expect(differences, `seed ${seed}`).toEqual([]);
  }
});

const POSTGRES_WORLDS = 5;

describeWithPostgres('on PostgreSQL', () => {
  test(`AUD-6, AUD-7, AUD-10: the engine finds what brute force does, in ${POSTGRES_WORLDS} random worlds`, async () => {
    for (let seed = 1; seed <= POSTGRES_WORLDS; seed += 1) {
      const differences = await differencesIn(seed, async () => postgresProfilesPlace(await postgresPlace()));
      expect(differences, `seed ${seed}`).toEqual([]);
    }
  });
});

const MISTAKES: Readonly<Record<string, Spoil>> = {
  'begins windows an hour early': shifted(({ from, to }) => ({ from: from === undefined ? from : from - 1, to })),
  'ends windows an hour early': shifted(({ from, to }) => ({ from, to: to - 1 })),
  'takes nothing for missing': NOTHING_IS_MISSING,
  'leaves those without traits out of "not"': NOT_OF_WHO_HAS_A_TRAIT,
  'names the last run as the one that found somebody': (own) => ({
    results: async (request) => {
      const { results, ...page } = await own.results(request);
      return { ...page, results: results.map((one) => ({ ...one, since: page.run ?? one.since })) };
    },
  }),
  'removes what no window looks at now': (own) => ({
    tidy: ({ needed, limit }) => {
      const recent = async () => {
        const { from, ...all } = await needed();
        return { ...all, from: from.map(({ measure, hour }) => ({ measure, hour: hour + 24 * (730 - 1) })) };
      };
      return own.tidy({ needed: recent, limit });
    },
  }),
  'asks what counts before it looks what there is to fold': (own) => ({
    fold: async (request) => {
      const standing = await request.spaces();
      return own.fold({ ...request, spaces: async () => standing });
    },
  }),
  'rounds all sums to six decimals': (own) => ({
    results: async (request) => {
      const { results, ...page } = await own.results(request);
      return { ...page, results: results.map((one) => ({ ...one, value: sixDecimals(one.value) })) };
    },
  }),
  'keeps the results of the first run': (own) => ({ compute: (request) => own.compute({ ...request, run: 1 }) }),
};

function sixDecimals(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' && Math.abs(value) > 1e9 && Math.abs(value) < 1e15
    ? String(Math.floor(value * 1e6 + 0.5) / 1e6)
    : json;
}

test.each(Object.entries(MISTAKES))('the oracle finds an engine that %s', async (_mistake, spoil) => {
  expect(await seedThatDiffers((seed) => differencesIn(seed, () => memoryProfilesPlace(spoil)))).toBeDefined();
});

const MISEXPLAINED: Readonly<Record<string, Explaining>> = {
  'says an hour too late when membership changes': {
    explain,
    hourOfChange: (...asked) => {
      const hour = hourOfChange(...asked);
      return hour === undefined ? undefined : hour + 1;
    },
  },
  'says that nothing ever changes': { explain, hourOfChange: () => undefined },
  'explains by nothing that was counted': {
    explain: (plan, known) => explain(plan, { ...known, valueOf: () => undefined }),
    hourOfChange,
  },
  'says by half of what was counted when membership changes': {
    explain,
    hourOfChange: (planAt, now, { traits, tiles }) =>
      hourOfChange(planAt, now, { traits, tiles: tiles.slice(tiles.length / 2) }),
  },
  'explains by no trait': { explain: (plan, known) => explain(plan, { ...known, traits: {} }), hourOfChange },
};

test.each(Object.entries(MISEXPLAINED))('the oracle finds an engine that %s', async (_mistake, explaining) => {
  expect(await seedThatDiffers((seed) => differencesIn(seed, () => memoryProfilesPlace(), explaining))).toBeDefined();
});

type Change = (caught: readonly Omit<Caught, 'id'>[], index: number) => readonly Omit<Caught, 'id'>[];

function catching(change: Change): Promise<number | undefined> {
  return seedThatDiffers((seed) =>
    differencesIn(seed, async () => {
      const place = await memoryProfilesPlace();
      let index = 0;
      return { ...place, catches: (caught) => place.catches(change(caught, (index += 1))) };
    }),
  );
}

test('the oracle finds an engine that adds up what is beyond 1e100', async () => {
  expect(
    await catching((caught) =>
      caught.map((one) => ({ ...one, caught: one.caught.replaceAll('1.0001e+100', '1e+100') })),
    ),
  ).toBeDefined();
});

test('the oracle finds an engine that misses an event, or folds one twice', async () => {
  expect(await catching((caught, index) => (index === 10 ? [] : caught))).toBeDefined();
  expect(await catching((caught, index) => (index === 10 ? [...caught, ...caught] : caught))).toBeDefined();
});

async function seedThatDiffers(differences: (seed: number) => Promise<readonly string[]>): Promise<number | undefined> {
  for (let seed = 1; seed <= 100; seed += 1) if ((await differences(seed)).length > 0) return seed;
  return undefined;
}
