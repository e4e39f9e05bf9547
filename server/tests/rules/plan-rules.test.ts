import { expect, test } from 'vitest';
import { startConfigApi } from '../support/config-api.ts';
import { orderPlan } from '../support/tracking.ts';

const PLANS = '/workspaces/main/tracking-plans';

/** The error of a plan with these rules; undefined when it is taken. */
async function refusalOf(rules: unknown): Promise<unknown> {
  const api = await startConfigApi();
  const answer = await api.call('POST', PLANS, { tracking_plan: { display_name: 'shop', rules } });
  expect([200, 400]).toContain(answer.status);
  return answer.body['error'];
}

/** An event rule with these properties, and what the error must say of it. */
const property = (schema: unknown): object => orderPlan({ properties: { p: schema } });
const P = 'tracking_plan.rules.events[0].rules.properties.properties.properties.p';

const patterns = (of: number): object[] =>
  Array.from({ length: 11 }, (_, at) => ({ pattern: `${'a'.repeat(984)}${of}-${at}` }));

const nested = (levels: number): object => (levels === 0 ? {} : { properties: { a: nested(levels - 1) } });
const doubling = Object.fromEntries(
  Array.from({ length: 15 }, (_, at) => [
    `d${at}`,
    { allOf: [1, 2].map(() => ({ $ref: `#/definitions/d${at + 1}` })) },
  ]),
);

const REFUSED: readonly (readonly [what: string, rules: unknown, error: string])[] = [
  [
    'look-ahead',
    property({ pattern: '^(?!test)' }),
    `${P}.pattern has look-around, which is not supported: say what may not match with "not"`,
  ],
  ['look-behind', property({ pattern: '(?<=a)b' }), `${P}.pattern has look-around`],
  [
    'a back-reference',
    property({ pattern: '(a)\\1' }),
    `${P}.pattern has a back-reference, which is not supported: write out`,
  ],
  ['a named back-reference', property({ pattern: '(?<n>a)\\k<n>' }), `${P}.pattern has a back-reference`],
  [
    'a pattern that is none',
    property({ pattern: '[' }),
    `${P}.pattern is no regular expression of RE2 (missing closing ]`,
  ],
  [
    'a pattern that is huge',
    property({ pattern: '(a{30}){30}{2}'.replace('{2}', 'b') + 'c'.repeat(999) }),
    'is too large a regular expression',
  ],
  [
    'patterns that are huge together',
    property({ anyOf: patterns(0) }),
    `${P}.anyOf[10].pattern is one regular expression too many for a rule: together they may have 10,000 steps`,
  ],
  [
    'patterns of many rules that are huge together',
    { events: Array.from({ length: 21 }, (_, at) => ({ name: `E${at}`, rules: { anyOf: patterns(at).slice(0, 5) } })) },
    'is one regular expression too many for a plan: together they may have 100,000 steps',
  ],
  [
    'a bad pattern of names',
    property({ patternProperties: { '(?=x)': {} } }),
    `${P}.patternProperties has look-around`,
  ],
  [
    'a remote reference',
    property({ $ref: 'https://example.com/s.json' }),
    `${P}.$ref "https://example.com/s.json" is not followed`,
  ],
  [
    'a reference to a file',
    property({ $ref: 'other.json#/a' }),
    'is not followed: a reference leads to a place in the same rule',
  ],
  ['a reference to nothing', property({ $ref: '#/definitions/none' }), 'leads to nothing in this rule'],
  ['a reference to itself', property({ $ref: '#' }), 'leads back to itself: write out as many levels as there are'],
  [
    'references in a circle',
    { global: { definitions: { a: { items: { $ref: '#/definitions/a' } } }, $ref: '#/definitions/a' } },
    'leads back to itself',
  ],
  [
    'references that double',
    { global: { definitions: { ...doubling, d15: {} }, $ref: '#/definitions/d0' } },
    'makes the rule too large: more than 1000 schemas',
  ],
  ['a rule of many bytes', property({ const: 'x'.repeat(100_001) }), 'tracking_plan.rules.events[0].rules takes 1'],
  ['a rule of many values', property({ enum: Array.from({ length: 5_001 }, (_, at) => at) }), 'more than 5000 values'],
  [
    'a constant of many values, referred to again and again',
    {
      global: {
        definitions: { c: { const: { list: Array.from({ length: 600 }, (_, at) => at) } } },
        allOf: Array.from({ length: 10 }, () => ({ $ref: '#/definitions/c' })),
      },
    },
    'more than 5000 values',
  ],
  [
    'a rule of many schemas',
    orderPlan({ properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, {}])) }),
    'more than 1000 schemas',
  ],
  [
    'a repeated rule of many values',
    property({ items: { enum: Array.from({ length: 501 }, (_, at) => at) } }),
    'more than 500 values that are tried for each item',
  ],
  ['a rule nested deep', property(nested(45)), 'is nested deeper than 40 schemas'],
  [
    'a type that is none',
    property({ type: 'any' }),
    `${P}.type must be one or more of array, boolean, integer, null, number, object, string, got "any"`,
  ],
  ['a bound that is text', property({ minimum: '1' }), `${P}.minimum must be a number, got "1"`],
  ['a length below 0', property({ minLength: -1 }), `${P}.minLength must be a whole number from 0 up, got -1`],
  ['no multiple', property({ multipleOf: 0 }), `${P}.multipleOf must be a number above 0, got 0`],
  ['an empty choice', property({ enum: [] }), `${P}.enum must be a list of at least one value, got []`],
  ['names that are none', property({ required: 'a' }), `${P}.required must be a list of names, got "a"`],
  ['no branches', property({ anyOf: [] }), `${P}.anyOf must be a list of at least one schema, got []`],
  ['a schema that is text', property('string'), `${P} must be a JSON Schema, got "string"`],
  ['fields that are a list', property({ properties: [] }), `${P}.properties must be an object, got []`],
  ['a dependency on nothing', property({ dependencies: { a: 5 } }), `${P}.dependencies.a must be a JSON Schema, got 5`],
  ['an identify that is text', { identify: 'x' }, 'tracking_plan.rules.identify must be a JSON Schema'],
  [
    'an event without a name',
    { events: [{ rules: {} }] },
    'tracking_plan.rules.events[0].name must be the name of an event',
  ],
  ['an event that is none', { events: ['Order'] }, 'tracking_plan.rules.events[0].name must be the name of an event'],
  [
    'a version that is none',
    { events: [{ name: 'A', version: 1.5 }] },
    'tracking_plan.rules.events[0].version must be a whole number',
  ],
  [
    'an event twice',
    { events: [{ name: 'A' }, { name: 'A', version: '1' }] },
    'tracking_plan.rules.events[1].rules is of the same event and version as rules.events[0].rules',
  ],
  [
    'too many events',
    { events: Array.from({ length: 2_001 }, (_, at) => ({ name: `E${at}` })) },
    'tracking_plan.rules.events holds more than 2000 events',
  ],
];

test.each(REFUSED)('CFG-14, D-46, SAFE-2: a plan with %s is refused by name', async (_what, rules, error) => {
  expect(await refusalOf(rules)).toContain(error);
});

test('CFG-9, CFG-14: rules without a path are not looked at', async () => {
  const api = await startConfigApi();
  const { name } = await api.ok('POST', PLANS, { tracking_plan: { display_name: 'shop' } });
  const rules = { events: [{ name: 'A' }], global: { pattern: '(?=a)' } };
  const put = (paths: string[]) =>
    api.call('PUT', `/${String(name)}`, { tracking_plan: { rules }, update_mask: { paths } });
  expect(await put(['tracking_plan.rules.events'])).toMatchObject({
    status: 200,
    body: { rules: { events: rules.events } },
  });
  expect(await put([])).toMatchObject({ status: 200 });
  for (const path of ['rules', 'tracking_plan.rules.global']) {
    expect(await put([path])).toMatchObject({ status: 400, body: { error: expect.stringContaining('look-around') } });
  }
});
