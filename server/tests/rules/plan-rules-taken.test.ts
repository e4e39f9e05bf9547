import { expect, test } from 'vitest';
import { checkRules } from '../../tracking/plan-rules.ts';
import { judge, orderPlan, told, trackOf } from '../support/tracking.ts';

/** A plan with one event of one property. */
const property = (schema: unknown): object => orderPlan({ properties: { p: schema } });

/** What people and tools write, what it must find, and what must pass it. */
const TAKEN: readonly (readonly [what: string, schema: object, bad: unknown, good: unknown])[] = [
  ['draft-04 bounds', { minimum: 5, exclusiveMinimum: true }, 5, 6],
  ['draft-04 bounds that are off', { maximum: 5, exclusiveMaximum: false }, 6, 5],
  ['bounds that are none', { exclusiveMinimum: true, type: 'string' }, 5, 'a'],
  ['types with null', { type: ['string', 'null'], enum: ['a', null] }, 'b', null],
  [
    'names and labels',
    { $schema: 'http://json-schema.org/draft-04/schema#', id: 'p', $id: 'q', labels: { a: 1 }, key: 5, type: 'string' },
    5,
    'a',
  ],
  ['nulls for what is left out', { pattern: null, enum: null, required: null, type: 'string' }, 5, 'a'],
  ['null as a constant', { const: null }, 5, null],
  ['a format', { format: 'date-time' }, 'yesterday', '2026-11-20T12:00:00Z'],
  ['a format that nobody knows', { format: 'cow', type: 'string' }, 5, 'moo'],
  [
    'alternatives',
    { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'null' } } }] },
    { a: 1 },
    { a: null },
  ],
  ['if and then', JSON.parse('{"if":{"type":"string"},"then":{"maxLength":1}}'), 'ab', 5],
  ['a negation', { not: { pattern: '^test' } }, 'tester', 'a test'],
  [
    'unique items in any order of fields',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [1, '1', [1], ['1']],
  ],
  [
    'names of all objects',
    { properties: { constructor: { type: 'string' } }, required: ['constructor'] },
    {},
    { constructor: 'a' },
  ],
  ['Unicode', { pattern: '^[\\u00e4-\\u00fc]+$' }, 'a', 'ü'],
  ['classes', { pattern: '^\\p{L}+\\d{2}$' }, 'é1', 'é12'],
  ['tuples', { items: [{ type: 'string' }], additionalItems: false }, ['a', 1], ['a']],
];

test.each(TAKEN)('D-46: rules with %s hold', (_what, schema, bad, good) => {
  const rules = property(schema);
  expect(() => Array.from(checkRules({ ...rules }, ['events']))).not.toThrow();
  expect(told(judge(trackOf({ p: bad }), rules)).join()).toMatch(/^\w+ properties\.p/);
  expect(told(judge(trackOf({ p: good }), rules))).toEqual([]);
});

test('D-46: a reference within a rule holds, whatever its name', () => {
  const definitions = { 'a/b c': { type: 'string' } };
  const rules = {
    global: {
      definitions,
      properties: { properties: { properties: { p: { $ref: '#/definitions/a~1b%20c', maxLength: 1 } } } },
    },
  };
  expect(told(judge(trackOf({ p: 5 }), rules))).toEqual(['type_mismatch properties.p allowed']);
  expect(told(judge(trackOf({ p: 'long' }), rules))).toEqual([]);
});
