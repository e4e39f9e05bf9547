import { expect, test } from 'vitest';
import { readDefinition, readTraitDefinition } from '../../audiences/definition.ts';
import { keyOf } from '../../resources/computed.ts';
import { checkReferences } from '../../audiences/references.ts';
import type { Definition } from '../../model/definition.ts';

const HOME = 'workspaces/main';

function faultOf(definition: unknown): string {
  return thrownBy(() => readDefinition(definition, 'definition', HOME));
}

function thrownBy(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const BOUGHT = { where: "event = 'Bought'" };
const OTHER = `${HOME}/audiences/aud_1`;

/** One of each form, as the contract writes them. */
const WHOLE: Definition = {
  all: [
    { trait: 'plan', is: { eq: 'pro' } },
    { any: [{ not: { trait: 'age', is: { gte: 18 } } }, { trait: 'seats', is: { in: [1, 2, 'many', true] } }] },
    { trait: 'email', is: { contains: '@' } },
    { trait: 'since', is: { before: '2026-01-01' } },
    { trait: 'company', is: { exists: true } },
    { events: { ...BOUGHT, count: { gte: 2 }, window: { within: '7d' }, sources: [`${HOME}/sources/js`] } },
    { events: { ...BOUGHT, sum: { of: 'properties.total', gte: 100 }, window: { between: ['30d', '90d'] } } },
    { events: { ...BOUGHT, days: { lt: 3 }, window: { since: '2026-01-01T00:00:00Z' } } },
    { events: { ...BOUGHT, last: { of: 'properties.sku', starts_with: 'a' } } },
    { events: { ...BOUGHT, distinct: { of: 'properties.sku', gt: 3 } } },
    { events: BOUGHT },
    { member_of: OTHER },
    { computed_trait: `${HOME}/computed-traits/tra_1`, is: { gt: 3 } },
  ],
};

test('a definition is read as it was sent, with the names in it', () => {
  const { definition, names } = readDefinition(WHOLE, 'definition', HOME);
  expect(definition).toEqual(WHOLE);
  expect(names).toEqual([
    { place: 'definition.all[5].events.sources[0]', kind: 'sources', name: `${HOME}/sources/js` },
    { place: 'definition.all[11].member_of', kind: 'audiences', name: OTHER },
    { place: 'definition.all[12].computed_trait', kind: 'computed-traits', name: `${HOME}/computed-traits/tra_1` },
  ]);
});

test.each<[string, object]>([
  ['counter', BOUGHT],
  ...['sum', 'average', 'minimum', 'maximum', 'first', 'last', 'most_frequent', 'unique_list', 'unique_list_count'].map(
    (kind): [string, object] => [kind, { ...BOUGHT, of: 'properties.total', window: { within: '90d' } }],
  ),
])('the computed trait %s is read as it was sent', (kind, events) => {
  expect(readTraitDefinition({ [kind]: events }, 'definition', HOME).definition).toEqual({ [kind]: events });
});

test.each([
  [
    { any: [WHOLE, { events: { where: 'event = == 3' } }] },
    'definition.any[1].events.where: column 9: expected a value',
  ],
  [[], 'definition must be an object, got []'],
  [{}, 'definition must have exactly one of all, any, not, trait, events, member_of, computed_trait, got none'],
  [{ foo: 1 }, 'computed_trait, got foo'],
  [{ all: [], any: [] }, 'computed_trait, got all and any: use one'],
  [{ all: [] }, 'definition.all must be a list of at least one condition, got []'],
  [{ trait: 'a' }, 'definition.is is missing: use one of eq, neq,'],
  [{ trait: 'a', is: 3 }, 'definition.is must be an object with one of eq, neq,'],
  [{ trait: '', is: { eq: 1 } }, 'definition.trait must be the name of a trait'],
  [{ trait: 'a', is: {} }, 'definition.is is empty: use one of eq, neq,'],
  [{ trait: 'a', is: { gt: 1, lt: 2 } }, 'definition.is has gt and lt: use one, and "all"'],
  [{ trait: 'a', is: { like: 1 } }, 'definition.is.like is unknown: use one of'],
  [{ trait: 'a', is: { gt: '1' } }, 'definition.is.gt must be a number, got "1"'],
  [{ trait: 'a', is: { eq: null } }, 'definition.is.eq must be a string, a number or a boolean, got null'],
  [{ trait: 'a', is: { in: [] } }, 'definition.is.in must be a list of 1 to 1000 values, got []'],
  [{ trait: 'a', is: { in: [[1]] } }, 'definition.is.in[0] must be'],
  [{ trait: 'a', is: { exists: false } }, 'definition.is.exists must be true, got false: put "not" around it'],
  [{ trait: 'a', is: { before: 'soon' } }, 'definition.is.before must be an ISO 8601 time, got "soon"'],
  [{ trait: 'a', is: { eq: 1 }, windw: 1 }, 'definition.windw is unknown here: there are trait, is'],
  [{ events: { where: '' } }, 'definition.events.where is empty, and holds for no event'],
  [{ events: {} }, 'definition.events.where must be a string, got nothing'],
  [{ events: { ...BOUGHT, count: { gte: 1 }, days: { gte: 1 } } }, 'definition.events has count and days: use one'],
  [{ events: { ...BOUGHT, count: { gte: '2' } } }, 'definition.events.count.gte must be a number'],
  [{ events: { ...BOUGHT, count: { contains: 'a' } } }, 'definition.events.count.contains is unknown'],
  [{ events: { ...BOUGHT, sum: { gte: 2 } } }, 'definition.events.sum.of must be a string'],
  [{ events: { ...BOUGHT, sum: { of: 'a = 1', gte: 2 } } }, 'definition.events.sum.of must be the path of a field'],
  [{ events: { ...BOUGHT, sum: { of: 'a b', gte: 2 } } }, 'definition.events.sum.of: column 3: '],
  [{ events: { ...BOUGHT, window: { within: '0d' } } }, 'definition.events.window.within must be whole hours or days'],
  [
    { events: { ...BOUGHT, window: { within: '731d' } } },
    'definition.events.window.within must be whole hours or days',
  ],
  [
    { events: { ...BOUGHT, window: { between: ['9d', '9d'] } } },
    'definition.events.window.between must have the shorter',
  ],
  [
    { events: { ...BOUGHT, window: { since: '2026-01-01T00:30:00Z' } } },
    'definition.events.window.since must be a whole hour',
  ],
  [
    { events: { ...BOUGHT, sources: ['js'] } },
    'definition.events.sources[0] must be a full name that begins with workspaces/main/sources/',
  ],
  [
    { member_of: 'workspaces/other/audiences/aud_1' },
    'definition.member_of must be a full name that begins with workspaces/main/audiences/',
  ],
  [{ trait: 'a', is: { eq: 'x'.repeat(70_000) } }, 'definition has 70028 bytes of at most 65536'],
])('a fault of a definition is told with its place: %#', (definition, fault) => {
  expect(faultOf(definition)).toContain(fault);
});

test.each([
  [{ counter: BOUGHT, sum: BOUGHT }, 'unique_list_count, got counter and sum: use one'],
  [{}, 'unique_list_count, got none'],
  [{ total: BOUGHT }, 'unique_list_count, got total'],
  [{ counter: { ...BOUGHT, of: 'a' } }, 'definition.counter.of is unknown here'],
  [{ sum: BOUGHT }, 'definition.sum.of must be a string, got nothing'],
])('the computed trait %j is refused with the place', (definition, fault) => {
  expect(thrownBy(() => readTraitDefinition(definition, 'definition', HOME))).toContain(fault);
});

function nested(depth: number): Definition {
  return depth === 1 ? { trait: 'a', is: { eq: 1 } } : { not: nested(depth - 1) };
}

test('a definition has at most 50 conditions and 8 levels', () => {
  const conditions = (count: number) => ({ any: Array.from({ length: count }, () => nested(1)) });
  expect(faultOf(conditions(50))).toBe('none');
  expect(faultOf(conditions(51))).toBe('definition.any[50] is one more than the 50 conditions that are allowed');
  expect(faultOf(nested(8))).toBe('none');
  expect(faultOf(nested(9))).toMatch(/^definition(\.not){8} is nested deeper than 8 levels$/);
});

function refusalOf(changed: string, definitions: Readonly<Record<string, Definition>>): string {
  return thrownBy(() => checkReferences(changed, new Map(Object.entries(definitions)), 'definition'));
}

test('a cycle of audiences is refused, and named', () => {
  const [a, b, c]: Definition[] = [
    { member_of: 'b' },
    { not: { any: [nested(1), { member_of: 'c' }] } },
    { member_of: 'a' },
  ];
  expect(refusalOf('a', { a: a ?? nested(1), b: b ?? nested(1), c: nested(1) })).toBe('none');
  expect(refusalOf('c', { a: a ?? nested(1), b: b ?? nested(1), c: c ?? nested(1) })).toBe(
    'definition makes a cycle: c → a → b → c',
  );
  expect(refusalOf('a', { a: { member_of: 'a' } })).toBe('definition makes a cycle: a → a');
});

test('what a definition refers to counts towards its whole size, also where the other is changed', () => {
  const large = { any: Array.from({ length: 40 }, () => nested(1)) };
  const five = { any: Array.from({ length: 5 }, (): Definition => ({ member_of: 'large' })) };
  expect(refusalOf('five', { five, large })).toBe('none');
  const larger = { any: [...large.any, nested(1)] };
  expect(refusalOf('large', { five, large: larger })).toBe(
    'definition: with all that it refers to, five would have 205 conditions of at most 200',
  );
});

function twice(name: string): Definition {
  return { any: [{ member_of: name }, { member_of: name }] };
}

test('the whole size of audiences that refer to each other again and again is found without counting to the end', () => {
  const names = Array.from({ length: 100 }, (_, index) => `a${index}`);
  const chain = Object.fromEntries(
    names.map((name, index) => [name, index === 99 ? nested(1) : twice(`a${index + 1}`)]),
  );
  expect(refusalOf('a99', chain)).toContain('conditions of at most 200');
});

test.each([
  ['Big Spenders', 'big_spenders'],
  ['BigSpenders 30d', 'big_spenders_30d'],
  ['  VIP / Gold-Members!  ', 'vip_gold_members'],
  ['Größte Käufer', 'größte_käufer'],
  ['Cafe\u0301', 'caf\u00e9'],
  ["Don't Disturb", 'dont_disturb'],
  ['L’été des Clients', 'lété_des_clients'],
  ["'Quoted' Users", 'quoted_users'],
  ['30', undefined],
  ['!?', undefined],
])('AUD-2: the key of %j is %j', (name, key) => {
  expect(keyOf(name)).toBe(key);
});
