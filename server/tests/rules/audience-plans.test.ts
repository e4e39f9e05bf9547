import { expect, test, vi } from 'vitest';
import { beginningsOf, compileComputations } from '../../audiences/computations.ts';
import { readTraitDefinition } from '../../audiences/definition.ts';
import { hourOf } from '../../audiences/hours.ts';
import { hoursOf } from '../../audiences/windows.ts';
import { countingOf, hashOf } from '../../audiences/measures.ts';
import type { Definition, EventsCondition } from '../../model/definition.ts';
import { audience, computedTrait } from '../support/config-resources.ts';

const HOUR = 3_600_000;
const NOW = '2026-03-01T00:00:00.000Z';

test('an hour is half open: its end belongs to it, its beginning does not', () => {
  expect([0, 1, HOUR - 1, HOUR, HOUR + 1].map(hourOf)).toEqual([-1, 0, 0, 0, 1]);
});

test('windows are whole hours up to the hour of the run', () => {
  expect(hoursOf(undefined, 1000)).toEqual({ to: 1000 });
  expect(hoursOf({ within: '1h' }, 1000)).toEqual({ from: 1000, to: 1000 });
  expect(hoursOf({ within: '2d' }, 1000)).toEqual({ from: 953, to: 1000 });
  expect(hoursOf({ between: ['1h', '3h'] }, 1000)).toEqual({ from: 998, to: 999 });
  expect(hoursOf({ since: '1970-01-02T00:00:00Z' }, 1000)).toEqual({ from: 24, to: 1000 });
  expect(hoursOf({ since: '1970-01-02T00:00:00+01:00' }, 1000)).toEqual({ from: 23, to: 1000 });
});

function hash(condition: EventsCondition): string {
  return hashOf(countingOf(condition).countable);
}

test('AUD-6: windows, thresholds and aggregates of one kind share what is counted', () => {
  const total = { where: 'all', sum: { of: 'properties.total', gte: 1 } } as const;
  expect(hash({ ...total, window: { within: '7d' } })).toBe(hash(total));
  expect(hash({ where: 'all', avg: { of: 'properties.total', lt: 5 } })).toBe(hash(total));
  expect(hash({ where: 'all', count: { gte: 2 } })).toBe(hash({ where: 'all', days: { gte: 3 } }));
  expect(hash({ ...total, sources: ['b', 'a'] })).toBe(hash({ ...total, sources: ['a', 'b', 'a'] }));
  const different = [
    total,
    { where: 'all' },
    { ...total, where: 'true' },
    { ...total, sources: ['a'] },
    { where: 'all', sum: { of: 'properties.tax', gte: 1 } },
    { where: 'all', first: { of: 'properties.total', eq: 1 } },
    { where: 'all', distinct: { of: 'properties.total', gt: 1 } },
  ].map(hash);
  expect(new Set(different).size).toBe(different.length);
});

const BOUGHT = { where: "event = 'Bought'" };

function compiled(...definitions: readonly Definition[]) {
  const rows = definitions.map((definition, index) => ({
    ...audience('main', `aud_${index}`),
    ...beginningsOf(definition, [], NOW),
    definition,
  }));
  const trait = { ...computedTrait('main', 'tra_0'), ...beginningsOf(SPENT, [], NOW), definition: SPENT };
  return compileComputations('workspaces/main', { audiences: rows, traits: [trait] });
}

const SPENT = { sum: { ...BOUGHT, of: 'properties.total', window: { within: '30d' } } };
const AT = Date.parse(NOW);

test('a definition becomes a plan in which nothing refers to anything', () => {
  const { all, get } = compiled(
    { all: [{ member_of: 'workspaces/main/audiences/aud_1' }, { not: { trait: 'plan', is: { eq: 'pro' } } }] },
    { any: [{ computed_trait: 'workspaces/main/computed-traits/tra_0', is: { gt: 3 } }, { events: BOUGHT }] },
  );
  const [sum, count] = [
    hash({ ...BOUGHT, sum: { of: 'properties.total', gt: 1 } }),
    hash({ ...BOUGHT, count: { gte: 1 } }),
  ].map((id) => `${id}@${AT}`);
  const spent = { measure: sum, aggregate: 'sum', hours: { from: 281, to: 1000 }, ofNone: 'missing' };
  expect(all.map(({ name }) => name.slice(-5))).toEqual(['aud_0', 'aud_1', 'tra_0']);
  expect(get('workspaces/main/computed-traits/tra_0')?.at(1000)).toEqual({ values: spent });
  expect(get('workspaces/main/audiences/aud_0')?.at(1000)).toEqual({
    members: {
      kind: 'all',
      of: [
        {
          kind: 'any',
          from: ['workspaces/main/audiences/aud_1'],
          of: [
            { kind: 'measured', from: ['workspaces/main/computed-traits/tra_0'], value: spent, is: { gt: 3 } },
            {
              kind: 'measured',
              value: { measure: count, aggregate: 'count', hours: { to: 1000 }, ofNone: 'zero' },
              is: { gte: 1 },
            },
          ],
        },
        { kind: 'not', of: { kind: 'trait', name: 'plan', is: { eq: 'pro' } } },
      ],
    },
  });
});

test('what counts numbers of events is zero without any; what needs a value is missing', () => {
  const ofNone = (['count', 'days'] as const).map((measure) => ({ events: { ...BOUGHT, [measure]: { lt: 5 } } }));
  const ofValues = (['sum', 'distinct', 'avg', 'min', 'max', 'first', 'last'] as const).map((measure) => ({
    events: { ...BOUGHT, [measure]: { of: 'properties.total', lt: 5 } },
  }));
  const { all } = compiled({ all: [...ofNone, ...ofValues] });
  const [first] = all.map((one) => one.at(1000));
  const plan = first !== undefined && 'members' in first && first.members.kind === 'all' ? first.members.of : [];
  const found = plan.map((one) => (one.kind === 'measured' ? [one.value.aggregate, one.value.ofNone] : one));
  expect(found).toEqual([
    ['count', 'zero'],
    ['days', 'zero'],
    ['sum', 'zero'],
    ['distinct', 'zero'],
    ['avg', 'missing'],
    ['min', 'missing'],
    ['max', 'missing'],
    ['first', 'missing'],
    ['last', 'missing'],
  ]);
});

test('a space has each measure once, and since when its windows look', () => {
  const { space, neededFrom } = compiled(
    { events: { ...BOUGHT, count: { gte: 2 }, window: { within: '7d' } } },
    { events: { ...BOUGHT, days: { gte: 2 }, window: { within: '30d' } } },
    { events: { where: 'all' } },
  );
  const [bought, all, sum] = [
    hash({ ...BOUGHT, count: { gte: 2 } }),
    hash({ where: 'all' }),
    hash({ ...BOUGHT, sum: { of: 'properties.total', gt: 1 } }),
  ];
  expect(space).toEqual({
    // Of the trait, which is older.
    id: `workspaces/main@${Date.parse(NOW)}`,
    workspace: 'workspaces/main',
    measures: [
      { id: `${bought}@${AT}`, kind: 'amounts', where: "event = 'Bought'", from: AT },
      { id: `${all}@${AT}`, kind: 'amounts', where: 'all', from: AT },
      { id: `${sum}@${AT}`, kind: 'amounts', where: "event = 'Bought'", of: ['properties', 'total'], from: AT },
    ],
  });
  // Of the 730 days that a window may become, whatever they are now.
  expect(neededFrom(20_000)).toEqual([
    { measure: `${bought}@${AT}`, hour: 2_481 },
    { measure: `${sum}@${AT}`, hour: 2_481 },
  ]);
  expect(compileComputations('workspaces/main', { audiences: [], traits: [] }).space).toBeUndefined();
});

test('SAFE-2: measures are hashed once, however often it is asked since when they are needed', () => {
  const { neededFrom } = compiled({ events: { ...BOUGHT, count: { gte: 2 } } });
  const first = neededFrom(20_000);
  const hashing = vi.spyOn(JSON, 'stringify');
  const [again, later] = [neededFrom(20_000), neededFrom(20_001)];
  const times = hashing.mock.calls.length;
  hashing.mockRestore();
  expect(times).toBe(0);
  expect(again).toEqual(first);
  expect(later).toEqual(first.map((one) => ({ ...one, hour: one.hour + 1 })));
});

test('AUD-6: history begins with the first that needs it, and goes on for those that come later', () => {
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  const bought: Definition = { events: { ...BOUGHT, count: { gte: 2 } } };
  const first = { ...audience('main', 'aud_1'), definition: bought, ...beginningsOf(bought, [], early) };
  const other: Definition = { any: [{ events: { ...BOUGHT, days: { gte: 3 } } }, { events: { where: 'all' } }] };
  const second = { ...audience('main', 'aud_2'), definition: other, ...beginningsOf(other, [first], late) };
  const member: Definition = { member_of: second.name };
  const third = { ...audience('main', 'aud_3'), definition: member, ...beginningsOf(member, [first, second], NOW) };
  const named: Definition = { trait: 'plan', is: { eq: 'pro' } };
  const fourth = { ...audience('main', 'aud_4'), definition: named, ...beginningsOf(named, [first, second], NOW) };
  const { all, preview, space } = compileComputations('workspaces/main', {
    audiences: [first, second, third, fourth],
    traits: [],
  });
  expect(second.measures_from).toEqual({ [hash(BOUGHT)]: early, [hash({ where: 'all' })]: late });
  expect(all.map(({ historyFrom }) => historyFrom)).toEqual([early, late, late, early]);
  expect(space?.id).toBe(`workspaces/main@${Date.parse(early)}`);
  expect(preview(bought, NOW).historyFrom).toBe(early);
  expect(preview({ events: { where: 'true' } }, NOW).historyFrom).toBe(NOW);
});

test.each([
  ['counter', '0'],
  ['sum', '0'],
  ['unique_list_count', '0'],
  ['unique_list', '[]'],
  ['last', 'null'],
  ['average', 'null'],
])('AUD-5: without a value any more, %s is told as %s', (kind, told) => {
  const of = kind === 'counter' ? {} : { of: 'properties.total' };
  const { definition } = readTraitDefinition({ [kind]: { ...BOUGHT, ...of } }, 'definition', 'workspaces/main');
  const row = { ...computedTrait('main', 'tra_1'), definition };
  const { all } = compileComputations('workspaces/main', { audiences: [], traits: [row] });
  expect(all[0]?.ofNone).toBe(told);
});
