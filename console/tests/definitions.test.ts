import { expect, test } from 'vitest';
import { groupOf, partsOf, withParts } from '../src/audiences/drafts.ts';
import { faultOf, isIn, lineOf, nameFault } from '../src/audiences/faults.ts';
import { MEASURES, titleOfMeasure, withMeasure, withTraitKind } from '../src/audiences/measures.ts';
import { lookedAt } from '../src/audiences/looked-at.ts';
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
  const place = 'definition.any[1].events.where';
  expect(fault).toEqual({ place, text: 'column 9: a value', said: `${place}: column 9: a value` });
  expect(faultOf(new Error('audience.definition.is.like is unknown'))?.said).toBe('definition.is.like is unknown');
  expect(isIn(fault, 'definition.any[1]')).toBe(true);
  expect(isIn(fault, 'definition.any[1].events.where')).toBe(true);
  expect(isIn(fault, 'definition.any[11]')).toBe(false);
  expect(isIn(fault, 'definition.any[1].events.wh')).toBe(false);
  expect(faultOf(new Error('audience.definition must have exactly one of all, got []'))?.place).toBe('definition');
  expect(faultOf(new Error('the key "x" already exists'))).toBeUndefined();
});

test('what the API says of a name is a sentence without the request and the field', () => {
  const asked = 'POST http://x/audiences answered';
  const noLetter = new Error(`${asked} 400, code 3: audience.display_name must have a letter, got "!"`);
  expect(nameFault(noLetter)).toBe('The name must have a letter, got "!".');
  const taken = new Error(`${asked} 409, code 6: the key "x" already exists: choose another`);
  expect(nameFault(taken)).toBe('The key "x" already exists: choose another.');
});

test.each([
  [{ after: '2026-01-01T13:00:00Z', until: '2026-01-31T13:00:00Z' }, 'of the last 30 days'],
  [{ after: '2026-01-31T12:00:00Z', until: '2026-01-31T13:00:00Z' }, 'of this hour'],
  [{ after: '2026-01-31T01:00:00Z', until: '2026-01-31T13:00:00Z' }, 'of the last 12 hours'],
  [{ after: '2026-01-21T12:30:00Z', until: '2026-01-31T13:00:00Z' }, 'since 2026-01-21 12:30 UTC'],
  [{ after: '2025-12-02T12:30:00Z', until: '2026-01-01T12:30:00Z' }, 'from 60 days ago to 30 days ago'],
  [{ until: '2026-01-31T13:00:00Z' }, 'of any time'],
])('the events of %j are those %s', (window, words) => {
  expect(lookedAt(window, Date.parse('2026-01-31T12:30:00Z'))).toBe(words);
});

test('the words of explanations have titles', () => {
  expect(['list', 'distinct', 'most_frequent'].map(titleOfMeasure)).toEqual([
    'List of different values',
    'Number of different values',
    'Most frequent value',
  ]);
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
