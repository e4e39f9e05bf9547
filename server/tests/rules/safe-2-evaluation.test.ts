import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget, decided, EVALUATION_STEPS } from '../../evaluation/budget.ts';
import { holds } from '../../fql/evaluate.ts';
import { matchesGlob } from '../../fql/glob.ts';
import { parse } from '../../fql/parse.ts';
import { secretMask } from '../../delivery/secret-mask.ts';
import { enforce } from '../../tracking/enforce.ts';
import { createPlans } from '../../tracking/plans.ts';
import { checkRules } from '../../tracking/plan-rules.ts';
import { createPatterns, readPattern } from '../../tracking/pattern.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { SchemaFault } from '../../tracking/schema-fault.ts';
import { HOSTILE_CONDITIONS, HOSTILE_PATTERNS, HOSTILE_PLANS } from '../support/hostile-definitions.ts';
import { MAX_MS, processorMs, processorMsSince } from '../support/processor-time.ts';
import { orderPlan, planWith, trackOf } from '../support/tracking.ts';

const OMITTING = {
  ...LET_THROUGH,
  allow_unplanned_track_event_properties: false,
  allow_track_properties_on_violations: false,
  common_track_event_on_violations: 'OMIT_PROPERTIES',
} as const;

test.each(Object.entries(HOSTILE_CONDITIONS))(
  'SAFE-2: a condition with %s stays within its steps',
  (_name, [text, event]) => {
    const [condition, budget] = [parse(text), new Budget()];
    expect(decided(() => holds(condition, event, budget))).toBeDefined();
    expect(budget.used).toBeLessThanOrEqual(EVALUATION_STEPS);
    expect(processorMs(() => decided(() => holds(condition, event, new Budget())))).toBeLessThan(MAX_MS);
    expect(processorMs(() => parse(text))).toBeLessThan(MAX_MS);
  },
);

test.each(Object.entries(HOSTILE_PLANS))('SAFE-2: a plan with %s stays within its steps', (_name, [rules, event]) => {
  const plan = createPlans().of(planWith(rules));
  const budget = new Budget();
  enforce(event, plan, OMITTING, budget);
  expect(budget.used).toBeLessThanOrEqual(EVALUATION_STEPS);
  expect(processorMs(() => enforce(event, plan, OMITTING, new Budget()))).toBeLessThan(MAX_MS);
});

test.each(Object.entries(HOSTILE_PLANS))('SAFE-2: a plan with %s is checked in short slices', (_name, [rules]) => {
  const slices = checkRules({ ...rules }, ['events', 'global']);
  let worst = 0;
  for (let isOver = false; !isOver;) {
    const before = process.threadCpuUsage();
    isOver = slices.next().done === true;
    worst = Math.max(worst, processorMsSince(before));
  }
  expect(worst).toBeLessThan(MAX_MS);
});

test.each(Object.entries(HOSTILE_PATTERNS))(
  'SAFE-2: a regular expression of %s is read, or refused, soon',
  (_name, text) => {
    const read = (): unknown => {
      try {
        return readPattern(text, 'pattern');
      } catch (error) {
        if (error instanceof SchemaFault) return error.message;
        throw error;
      }
    };
    expect(read()).toBeDefined();
    expect(processorMs(read)).toBeLessThan(MAX_MS);
  },
);

test.each(['a pattern of 4 000 characters', 'a pattern of one long segment', 'a pattern of the event itself'])(
  'SAFE-2: %s is decided: matching is linear',
  (name) => {
    const [text = '', event] = HOSTILE_CONDITIONS[name] ?? [];
    const budget = new Budget();
    expect(decided(() => holds(parse(text), event ?? {}, budget))).toBe(false);
    expect(budget.used).toBeLessThan(EVALUATION_STEPS / 4);
  },
);

test('SAFE-2: secrets are searched for soon, whatever a receiver answers', () => {
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`X-${at}`, `${'a'.repeat(1_000)}${at}`]));
  const mask = secretMask({ sharedSecret: 'a'.repeat(500), webhooks: [{ url: 'https://a.test/', headers }] });
  mask('made');
  for (const text of ['a'.repeat(1_024), '%61'.repeat(340)]) expect(processorMs(() => mask(text))).toBeLessThan(MAX_MS);
});

/** What a pattern or a text is made of: the same again and again is what takes longest. */
const repeated = (piece: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc.array(fc.tuple(piece, fc.constantFrom(1, 2, 100, 4_000)), { minLength: 1, maxLength: 5 }).map((parts) =>
    parts
      .map(([text, times]) => text.repeat(times))
      .join('')
      .slice(0, most),
  );

const LETTERS = repeated(fc.constantFrom('a', 'ab', 'b', 'aab', '😀'), 16_000);

test('SAFE-2: whatever the pattern and the text, matching ends soon', () => {
  const patterns = repeated(fc.constantFrom('*', 'a', '?', '[ab]', String.raw`\a`, '*a', '*?', 'b', '['), 16_000);
  fc.assert(
    fc.property(patterns, LETTERS, (pattern, text) => {
      expect(processorMs(() => decided(() => matchesGlob(text, pattern, new Budget())))).toBeLessThan(MAX_MS);
    }),
    { numRuns: 100 },
  );
});

test('SAFE-2: whatever the regular expression and the text, matching ends soon', () => {
  const pieces = fc.constantFrom('a', '[ab]', '.', '(?:a*)', '(?:a|b)', '(?:(?:a?){20})', '(?:b+)', '(?:[ab]{40})');
  const wholes = fc
    .array(fc.tuple(pieces, fc.constantFrom('', '*', '|')), { maxLength: 6 })
    .map((all) => all.flat().join(''));
  fc.assert(
    fc.property(wholes, LETTERS, (pattern, text) => {
      const { test: run } = createPatterns().of(`(?:${pattern})c`, 'pattern');
      expect(processorMs(() => decided(() => run(text, new Budget())))).toBeLessThan(MAX_MS);
    }),
    { numRuns: 100 },
  );
});

const { schema: SCHEMA } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<object>({ type: 'string' }, { const: { a: 1 } }, { pattern: '[ab]*a[ab]{50}c' }, { minLength: 3 }),
    fc.record({ items: tie('schema') }),
    fc.record({ additionalProperties: tie('schema') }),
    fc.record({ patternProperties: fc.record({ '[ab]*a[ab]{50}': tie('schema') }) }),
    fc.record({ propertyNames: tie('schema'), uniqueItems: fc.constant(true) }),
    fc
      .tuple(tie('schema'), fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.constantFrom(2, 12))
      .map(([inner, keyword, times]) => ({
        [keyword]: Array.from({ length: times }, () => inner),
      })),
  ),
}));

const WIDE = fc.constantFrom<unknown>(
  Array.from({ length: 7_000 }, () => 'a'),
  Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`ab${at}`, 1])),
  Array.from({ length: 60 }, () => Array.from({ length: 100 }, () => ({ a: 1 }))),
  'ab'.repeat(15_000),
);

test('SAFE-2: whatever the schema and the event, an event is held to it soon, fields left out or not', () => {
  fc.assert(
    fc.property(SCHEMA, WIDE, fc.constantFrom(LET_THROUGH, OMITTING), (schema, value, settings) => {
      const [rules, event] = [orderPlan({ properties: { x: schema } }), trackOf({ x: value })];
      const plan = createPlans().of(planWith(rules));
      expect(processorMs(() => enforce(event, plan, settings, new Budget()))).toBeLessThan(MAX_MS);
    }),
    { numRuns: 100 },
  );
});

/** As matching was: what follows a `*` is tried anew from each place. */
function backtracking(text: string, pattern: string): boolean {
  const [, segment = ''] = pattern.split('*');
  for (let from = 0; from + segment.length <= text.length; from += 1) {
    let length = 0;
    while (length < segment.length && text[from + length] === segment[length]) length += 1;
    if (length === segment.length) return true;
  }
  return false;
}

test('SAFE-2: twin: matching that goes back to where it began takes longer', () => {
  const [text, pattern] = ['a'.repeat(31_000), `*${'a'.repeat(4_000)}b`];
  expect(processorMs(() => backtracking(text, pattern))).toBeGreaterThan(MAX_MS);
  expect(processorMs(() => decided(() => matchesGlob(text, pattern, new Budget())))).toBeLessThan(MAX_MS);
});
