import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { normalize } from '../../events/normalize.ts';
import type { Event } from '../../model/message.ts';
import { compileRule } from '../../tracking/compile.ts';
import { createPatterns } from '../../tracking/pattern.ts';
import { readSchema } from '../../tracking/read-schema.ts';
import { SchemaFault } from '../../tracking/schema-fault.ts';
import { hasUniqueItems } from '../../tracking/unique-items.ts';
import { judge, trackOf } from '../support/tracking.ts';
import { Budget } from '../../evaluation/budget.ts';

const { schema: SCHEMA } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(
      {
        type: fc.constantFrom('string', 'number', 'object', ['object', 'null'], 'array', 'any', [], ''),
        properties: fc.dictionary(
          fc.constantFrom('a', 'b', 'properties', 'traits', '__proto__', 'constructor'),
          tie('schema'),
        ),
        patternProperties: fc.dictionary(fc.constantFrom('^a', '(?=b)', '['), tie('schema'), { maxKeys: 1 }),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        not: tie('schema'),
        if: tie('schema'),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: tie('schema'),
        additionalProperties: tie('schema'),
        required: fc.array(fc.constantFrom('a', 'b', 'toString'), { maxLength: 2 }),
        enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
        const: fc.jsonValue({ maxDepth: 1 }),
        minimum: fc.oneof(fc.double(), fc.string()),
        multipleOf: fc.constantFrom(0, 0.1, 2),
        pattern: fc.constantFrom('^a+$', '(a|b)*', '\\1', 'x{2,3}'),
        format: fc.constantFrom('email', 'uri', 'date', 'none', 5),
        uniqueItems: fc.boolean(),
        dependencies: fc.constantFrom({ a: ['b'] }, { a: {} }, { a: 5 }),
        $ref: fc.constantFrom('#', '#/properties/a', 'http://a.example/', 5),
        $id: fc.string(),
        title: fc.string(),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const PROPERTIES = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), fc.jsonValue({ maxDepth: 2 }));

test('D-46: whatever schema is read compiles, and checks any event', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(SCHEMA, PROPERTIES, (schema, properties) => {
      try {
        const rule = compileRule(readSchema(schema, 'rule').schema, createPatterns());
        taken += 1;
        rule.faultsOf(trackOf(properties), new Budget());
      } catch (error) {
        if (!(error instanceof SchemaFault)) throw error;
        refused += 1;
      }
    }),
    { numRuns: 200 },
  );
  // Twin: both ways were gone.
  expect([taken > 50, refused > 50]).toEqual([true, true]);
});

/** Calls as they come in, valid or not; those that are events. */
const EVENTS = fc
  .record(
    {
      type: fc.constantFrom('identify', 'track', 'page', 'screen', 'group', 'alias'),
      userId: fc.string({ minLength: 1 }),
      groupId: fc.string({ minLength: 1 }),
      previousId: fc.string({ minLength: 1 }),
      event: fc.constantFrom('Order', 'Other'),
      properties: PROPERTIES,
      traits: PROPERTIES,
      context: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: ['type', 'userId', 'groupId', 'previousId', 'event'] },
  )
  .map((call) => normalize(call, openEnvelope({}, { receivedAt: 0 }), () => 'id'))
  .filter((event): event is Event => typeof event !== 'string');

const rulesOf = (schema: unknown): object => ({
  events: [{ name: 'Order', rules: schema }],
  identify: schema,
  group: schema,
  global: schema,
});

test('D-47: with everything allowed any event passes any plan, byte for byte', () => {
  let violations = 0;
  fc.assert(
    fc.property(EVENTS, SCHEMA, (event, schema) => {
      const before = JSON.stringify(event);
      const verdict = judge(event, rulesOf(schema));
      violations += verdict.violations.length;
      return verdict.blocked === undefined && verdict.event === event && JSON.stringify(verdict.event) === before;
    }),
    { numRuns: 200 },
  );
  // Twin: the plans did find something.
  expect(violations).toBeGreaterThan(20);
});

test('D-47: leaving out takes fields away, and changes no other', () => {
  const omit = { allow_unplanned_track_event_properties: false, allow_track_properties_on_violations: false } as const;
  const all = { ...omit, allow_unplanned_identify_traits: false, allow_identify_traits_on_violations: false } as const;
  let shorter = 0;
  fc.assert(
    fc.property(EVENTS, SCHEMA, (event, schema) => {
      const before = JSON.stringify(event);
      const { event: left, blocked } = judge(event, rulesOf(schema), all);
      if (JSON.stringify(left) !== before) shorter += 1;
      return blocked === undefined && JSON.stringify(event) === before && isWithin(left, event);
    }),
    { numRuns: 200 },
  );
  expect(shorter).toBeGreaterThan(10);
});

/** Whether a value is another one with fields left out. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null)
    return Object.is(part, whole);
  if (Array.isArray(part) && part.length !== Object(whole).length) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isWithin(value, Reflect.get(whole, key)),
  );
}

test('D-46: items are unique as comparing each with each says', () => {
  const item = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(1, '1', { a: 1, b: 2 }, { b: 2, a: 1 }, [1], [], {}),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (list) => {
      const plain: unknown[] = JSON.parse(JSON.stringify(list));
      const isTwice = plain.some((one, at) => plain.slice(0, at).some((other) => isDeepStrictEqual(one, other)));
      expect(hasUniqueItems(plain)).toBe(!isTwice);
    }),
  );
});
