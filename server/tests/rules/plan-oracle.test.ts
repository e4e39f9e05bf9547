import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { Budget } from '../../evaluation/budget.ts';
import { compileRule } from '../../tracking/compile.ts';
import { createPatterns } from '../../tracking/pattern.ts';
import { type CleanSchema, readSchema } from '../../tracking/read-schema.ts';
import { pointerSteps } from '../../tracking/reference.ts';
import { hasUniqueItems } from '../../tracking/unique-items.ts';

/** An independent validator, to compare with. */
function createOracle(): Ajv {
  const judging = { strict: false, validateSchema: false, meta: false, logger: false } as const;
  const regExp = Object.assign((text: string) => RE2JS.compile(RE2JS.translateRegExp(text)), { code: 'patterns' });
  const ajv = new Ajv({ ...judging, allErrors: true, ownProperties: true, code: { regExp } });
  addFormats.default(ajv, { mode: 'fast', formats: ['uri', 'email', 'ipv4', 'uuid', 'hostname', 'duration'] });
  addFormats.default(ajv, { mode: 'full', formats: ['date', 'time', 'date-time'] });
  // Its own takes 1 and true, and texts of dates, for what they are not; ours is held to a definition elsewhere.
  return ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (isAsked: boolean, list: unknown[]) => !isAsked || hasUniqueItems(list),
  });
}

const NAMES = fc.constantFrom('a', 'b', 'c', 'constructor', 'a/b', '');
const VALUES = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(NAMES, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  fc.array(fc.dictionary(NAMES, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }), { maxLength: 4 }),
  fc.constantFrom('2026-11-20', 'a@b.example', 'http://a.example/', 'aa', 'aab', '😀😀', '10.0.0.1', 'P1D'),
  fc.integer({ min: -3, max: 8 }),
);

const { schema: SCHEMA } = fc.letrec<{ schema: CleanSchema }>((tie) => {
  const schemas = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const size = fc.nat(3);
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(
      fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null', 'boolean'),
      fc.constant(['string', 'integer']),
    ),
    enum: fc.array(VALUES, { minLength: 1, maxLength: 3 }),
    const: VALUES,
    minimum: fc.integer({ min: -2, max: 4 }),
    exclusiveMaximum: fc.integer({ min: -2, max: 4 }),
    multipleOf: fc.constantFrom(2, 3, 0.5),
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom('^a+$', 'b', '^(a|b)*$'),
    format: fc.constantFrom('date', 'email', 'uri', 'ipv4', 'duration', 'date-time', 'unknown'),
    items: fc.oneof(tie('schema'), schemas),
    additionalItems: tie('schema'),
    contains: tie('schema'),
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    properties: fc.dictionary(NAMES, tie('schema'), { maxKeys: 3 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '.'), tie('schema'), { maxKeys: 2 }),
    additionalProperties: tie('schema'),
    propertyNames: tie('schema'),
    dependencies: fc.dictionary(NAMES, fc.oneof(tie('schema'), fc.uniqueArray(NAMES)), { maxKeys: 2 }),
    required: fc.uniqueArray(NAMES, { maxLength: 3 }),
    minProperties: size,
    maxProperties: size,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: tie('schema'),
    if: tie('schema'),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: tie('schema'),
    else: tie('schema'),
  };
  const some = fc
    .subarray(Object.keys(keywords), { maxLength: 4 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, keywords[name] ?? fc.constant(0)]))));
  return { schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), some) };
});

/** Errors of branches are told by the whole around them. */
const WHOLES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);

/** Where the oracle finds faults: the place, and what is missing or too much there. */
function placesOf(errors: readonly ErrorObject[]): Set<string> {
  const wholes = errors.filter(({ keyword }) => WHOLES.has(keyword)).map(({ schemaPath }) => `${schemaPath}/`);
  const own = errors.filter(
    ({ keyword, schemaPath }) => keyword !== 'if' && !wholes.some((whole) => schemaPath.startsWith(whole)),
  );
  return new Set(
    own.map(({ instancePath, params }) => {
      const named: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['propertyName'];
      return JSON.stringify([...pointerSteps(instancePath), ...(typeof named === 'string' ? [named] : [])]);
    }),
  );
}

test('D-46: a rule finds what another validator finds, in the same places', () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(SCHEMA, VALUES, (given, sent) => {
      const [raw, value]: [unknown, unknown] = JSON.parse(JSON.stringify([given, sent]));
      // Of numbers that JSON writes with an exponent it takes the first digits.
      fc.pre(!/\de\+/.test(JSON.stringify(value)));
      const { schema } = readSchema(raw, 'rule');
      const validate = createOracle().compile(schema);
      const isValid = validate(value);
      seen[isValid ? 'valid' : 'invalid'] += 1;
      const faults = compileRule(schema, createPatterns()).faultsOf(value, new Budget());
      expect(faults.length === 0).toBe(isValid);
      const places = new Set(faults.map(({ steps }) => JSON.stringify(steps)));
      expect(places).toEqual(placesOf(validate.errors ?? []));
    }),
    { numRuns: 1_500 },
  );
  // Twin: both outcomes were compared.
  expect([seen.valid > 200, seen.invalid > 200]).toEqual([true, true]);
});

test('D-46: a pattern matches what the engine that read it matches', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '(a|b)',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\w',
    '(?i:A)',
    'x{2,3}',
  );
  const text = fc.array(fc.constantFrom('a', 'b', 'x', 'A', ' ', '\n', 'é', '😀', '\ud83d'), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(piece, fc.constantFrom('', '*', '?', '|')), { maxLength: 5 }),
      text,
      (parts, units) => {
        const [pattern, subject] = [parts.flat().join(''), units.join('')];
        fc.pre(isRead(pattern));
        const engine = RE2JS.compile(RE2JS.translateRegExp(pattern));
        expect(createPatterns().of(pattern, 'pattern').test(subject, new Budget())).toBe(engine.test(subject));
      },
    ),
    { numRuns: 2_000 },
  );
});

function isRead(pattern: string): boolean {
  try {
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return true;
  } catch {
    return false;
  }
}
