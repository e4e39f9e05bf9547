import { expect, test } from 'vitest';
import { groupOf, partsOf, withParts } from '../src/audiences/drafts.ts';
import { faultOf, isIn, lineOf } from '../src/audiences/faults.ts';
import { MEASURES, withMeasure, withTraitKind } from '../src/audiences/measures.ts';
import { LIST, NUMBER, SCALAR } from '../src/audiences/values.ts';

const PRO = { trait: 'plan', is: { eq: 'pro' } };
const TEAM = { trait: 'plan', is: { eq: 'team' } };

test('places of conditions are those that the API names', () => {
  expect(placesOf({ all: [PRO, TEAM] })).toEqual(['definition.all[0]', 'definition.all[1]']);
  expect(placesOf({ not: { any: [PRO] } })).toEqual(['definition.not.any[0]']);
  expect(placesOf({ not: PRO })).toEqual(['definition.not']);
  expect(placesOf(PRO)).toEqual(['definition']);
});

function placesOf(draft: object): string[] {
  return partsOf({ draft: { ...draft }, place: 'definition' }).map(({ place }) => place);
}

test('an edit keeps the form of what it does not change', () => {
  const kept = [
    PRO,
    { not: PRO },
    { not: { any: [PRO] } },
    { not: { all: [PRO, TEAM] } },
    { any: [PRO, { all: [TEAM] }] },
  ];
  for (const draft of kept) {
    const parts = partsOf({ draft, place: 'definition' }).map((part) => part.draft);
    expect(withParts(draft, parts)).toEqual(draft);
  }
  expect(withParts(PRO, [PRO, TEAM])).toEqual({ all: [PRO, TEAM] });
  expect(withParts({ not: PRO }, [PRO, TEAM])).toEqual({ not: { any: [PRO, TEAM] } });
  expect(groupOf({ not: PRO })).toBe('none');
});

test('a measure takes the path of the one before, and leaves the events as they are', () => {
  const events = { where: 'all', window: { within: '7d' }, sum: { of: 'properties.price', gte: 3 } };
  for (const { id } of MEASURES) {
    const { where, window, ...measure } = withMeasure(events, id);
    expect({ where, window }).toEqual({ where: 'all', window: { within: '7d' } });
    expect(Object.keys(measure)).toEqual(id === 'happened' ? [] : [id]);
  }
  expect(withMeasure(events, 'first')).toMatchObject({ first: { of: 'properties.price' } });
  expect(withTraitKind({ where: 'all', of: 'properties.price' }, 'counter')).toEqual({ counter: { where: 'all' } });
});

test('what is typed is a number, a truth, or text; quotes make text of the former', () => {
  const meanings = ['12', '1.50', 'true', 'pro', '"12"', '"true"', '"', ''].map(SCALAR.read);
  expect(meanings).toEqual([12, 1.5, true, 'pro', '12', 'true', '"', '']);
  for (const value of [12, true, 'pro', '12', 'false', '"quoted"', '']) {
    expect(SCALAR.read(SCALAR.print(value))).toBe(value);
  }
  expect(NUMBER.read('many')).toBe('many');
  expect(LIST.read('pro, 3, "a, b"')).toEqual(['pro', 3, 'a, b']);
  for (const list of [
    ['pro', 3, 'a, b'],
    ['3', true, 'x "y", z'],
  ])
    expect(LIST.read(LIST.print(list))).toEqual(list);
});

test('the place of a fault is read from what the API said', () => {
  const said =
    'POST http://x/audiences:preview answered 400, code 3: definition.any[1].events.where: column 9: a value';
  const fault = faultOf(new Error(said));
  expect(fault).toEqual({ place: 'definition.any[1].events.where', text: 'column 9: a value' });
  expect(isIn(fault, 'definition.any[1]')).toBe(true);
  expect(isIn(fault, 'definition.any[1].events.where')).toBe(true);
  expect(isIn(fault, 'definition.any[11]')).toBe(false);
  expect(isIn(fault, 'definition.any[1].events.wh')).toBe(false);
  expect(faultOf(new Error('audience.definition must have exactly one of all, got []'))?.place).toBe('definition');
  expect(faultOf(new Error('the key "x" already exists'))).toBeUndefined();
});

test('each place of JSON has the line in which it begins', () => {
  const text = `{
  "any": [
    { "trait": "any, [", "is": { "in": [1,
      2] } },
    {
      "events": {
        "where": "}{"
      }
    }
  ]
}`;
  const lines = ['', '.any', '.any[0].trait', '.any[0].is.in[1]', '.any[1]', '.any[1].events.where', '.any[2]'];
  expect(lines.map((place) => lineOf(text, `definition${place}`))).toEqual([1, 2, 3, 4, 5, 7, undefined]);
});
