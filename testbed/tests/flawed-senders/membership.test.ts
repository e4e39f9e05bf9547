import { expect, test } from 'vitest';
import type { Telling } from '../../../server/storage/telling-storage.ts';
import type { Observed } from '../../audit/observed.ts';
import { type MembershipFlaw, membershipComplaints, syncsOf, telling } from '../support/membership-sender.ts';

const only = (isTold: (one: Telling) => boolean): MembershipFlaw =>
  telling(({ tellings }) => ({ tellings: tellings.filter(isTold) }));

function valued(change: (value: unknown) => unknown): MembershipFlaw {
  return {
    body: ({ traits }) => ({
      traits: Object.fromEntries(Object.entries(traits).map(([key, value]) => [key, change(value)])),
    }),
  };
}

const isOf = (each: Observed, value: string): boolean =>
  JSON.stringify(each.event?.['traits'] ?? {}).includes(`:${value}`);

const FLAWED: Readonly<Record<string, MembershipFlaw>> = {
  'tells nobody': only(() => false),
  'tells no one who leaves': only(({ value }) => value !== 'false'),
  'tells no one who enters': only(({ value }) => value !== 'true'),
  'leaves out one user': only(({ user }) => user !== 'stays'),
  'knows nothing of what it has told, and tells all of it with each sync': {
    spoil: ({ tellings, profiles }) => ({
      profiles,
      tellings: { ...tellings, told: async (query) => ({ ...(await tellings.told(query)), told: [] }) },
    }),
  },
  'finds no user whom it has told, and tells nobody that it left': {
    spoil: ({ tellings, profiles }) => ({
      tellings,
      profiles: { ...profiles, standing: async ({ users }) => users.map(() => 'unknown' as const) },
    }),
  },
  'tells the opposite': valued((value) => (typeof value === 'boolean' ? !value : value)),
  'tells values as text': valued(String),
  'tells null of who left': valued((value) => (value === false ? null : value)),
  'tells one more than it counted': valued((value) => (typeof value === 'number' ? value + 1 : value)),
  'tells with a trait of another name': { body: ({ traits: { buyers } }) => ({ traits: { Buyers: buyers } }) },
  'tells without a trait': { body: () => ({ traits: {} }) },
  'tells of another user': { body: ({ userId }) => ({ userId: userId.toUpperCase() }) },
  'tells by track calls': { body: ({ traits }) => ({ type: 'track', event: 'Audience', properties: traits }) },
  'gives up after the first failure': {
    history: (all) => all.filter((each) => all.find((one) => isSame(one, each)) === each),
  },
  'sends what was taken once more, under another id': { history: (all) => [...all, ...all.map(asAnother)] },
  'sends an old value after the newer one': {
    history: (all) => [
      ...all.filter((each) => !isOf(each, 'true')),
      ...all.filter((each) => isOf(each, 'true')).map(late),
    ],
  },
};

function isSame(one: Observed, other: Observed): boolean {
  return one.event?.['messageId'] === other.event?.['messageId'];
}

function asAnother(each: Observed): Observed {
  return { ...late(each), event: { ...each.event, messageId: `${String(each.event?.['messageId'])}-2` } };
}

function late(each: Observed): Observed {
  return { ...each, at: each.at + 24 * 3_600_000 };
}

const production = await syncsOf();

test('toHaveBeenToldMembership has no complaint about the production syncs', () => {
  expect(membershipComplaints(production)).toEqual([]);
});

test.each(Object.entries(FLAWED))('a sender that %s is caught', async (_name, flaw) => {
  const exchanges = flaw.spoil === undefined ? production : await syncsOf(flaw);
  expect(membershipComplaints(exchanges, flaw).join('\n')).toContain('membership: ');
});
