import { expect, test } from 'vitest';
import { memoryProfilesPlace, type OpenProfiles } from '../conformance/profile-place.ts';
import { fqlSql } from '../oracle/sql/fql-sql.ts';
import { sqlDifferences } from '../oracle/sql/sql-differences.ts';
import { NOT_OF_WHO_HAS_A_TRAIT, NOTHING_IS_MISSING, shifted, type Spoil } from '../support/changed-plans.ts';

const SIZE = { users: 600, audiences: 100, traits: 25, rounds: 2, seed: 2 };

test('AUD-6, AUD-7, AUD-10: 100 audiences and 25 computed traits have what SQL over the raw events finds', async () => {
  const found = await sqlDifferences(SIZE, () => memoryProfilesPlace());
  expect(found.differences).toEqual([]);
  expect(found).toMatchObject({ profiles: expect.closeTo(540, -2), events: expect.closeTo(2_600, -3) });
  expect(Math.min(found.members, found.values)).toBeGreaterThan(SIZE.users);
});

const FEW = { ...SIZE, users: 200, audiences: 60, rounds: 1 };

async function differencesWith(open: OpenProfiles): Promise<readonly string[]> {
  return (await sqlDifferences(FEW, open)).differences;
}

const MISTAKES: Readonly<Record<string, Spoil>> = {
  'begins windows an hour early': shifted(({ from, to }) => ({ from: from === undefined ? from : from - 1, to })),
  'ends windows an hour early': shifted(({ from, to }) => ({ from, to: to - 1 })),
  'takes nothing for missing': NOTHING_IS_MISSING,
  'leaves those without traits out of "not"': NOT_OF_WHO_HAS_A_TRAIT,
};

test.each(Object.entries(MISTAKES))('SQL over the raw events finds an engine that %s', async (_mistake, spoil) => {
  expect(await differencesWith(() => memoryProfilesPlace(spoil))).not.toEqual([]);
});

test('SQL over the raw events finds an engine that misses an alias', async () => {
  const differences = await differencesWith(async () => {
    const place = await memoryProfilesPlace();
    return { ...place, catches: (rows) => place.catches(rows.filter(({ caught }) => !caught.includes('"alias"'))) };
  });
  expect(differences).not.toEqual([]);
});

test.each([
  [
    "event in ['Bought'] and !(type = 'page')",
    `(coalesce(e.event IN ('"Bought"'), false) AND (NOT (e.type IS NOT DISTINCT FROM '"page"')))`,
  ],
  ['all', 'true'],
])('the oracle reads the condition %s', (fql, sql) => {
  expect(fqlSql(fql)).toBe(sql);
});

test.each(["event = 'Bought' and", 'context.ip = 3', 'all all'])(
  'the oracle refuses %s, which it cannot read',
  (fql) => {
    expect(() => fqlSql(fql)).toThrow(fql.startsWith('context') ? 'context.ip' : fql);
  },
);
