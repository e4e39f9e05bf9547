import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../../fql/evaluate.ts';
import { COMPARISONS, type Expression } from '../../fql/expression.ts';
import { FUNCTIONS, type FunctionName } from '../../fql/functions.ts';
import { matchesGlob } from '../../fql/glob.ts';
import { parse } from '../../fql/parse.ts';
import { print } from '../../fql/print.ts';
import { FqlFault } from '../../fql/syntax-fault.ts';
import { Budget } from '../../evaluation/budget.ts';
import { CODE_POINT } from '../../../testbed/tests/support/code-point.ts';

const text = fc.oneof(
  fc.string({ unit: CODE_POINT, maxLength: 8 }),
  fc.constantFrom('', 'and', 'all', '5', '-5', 'a.b', '\\'),
);

const literal = fc
  .oneof(text, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .filter((value) => !Object.is(value, -0))
  .map((value): Expression => ({ kind: 'literal', value }));

const path = fc
  .array(
    text.filter((step) => step !== ''),
    { minLength: 1, maxLength: 3 },
  )
  .map((steps): Expression => ({ kind: 'path', steps }));

const functionNames = Object.keys(FUNCTIONS).filter((name): name is FunctionName => Object.hasOwn(FUNCTIONS, name));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const pair = { left: tie('expression'), right: tie('expression') };
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(literal, path, fc.constant<Expression>({ kind: 'all' })),
      fc.record({ kind: fc.constant('not' as const), of: tie('expression') }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), ...pair }),
      fc.record({ kind: fc.constant('in' as const), ...pair }),
      fc.record({ kind: fc.constant('compare' as const), operator: fc.constantFrom(...COMPARISONS), ...pair }),
      fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('expression'), { maxLength: 3 }) }),
      fc
        .tuple(fc.constantFrom(...functionNames), tie('expression'), tie('expression'))
        .map(([name, ...args]): Expression => ({ kind: 'call', name, args: args.slice(0, FUNCTIONS[name].arity) })),
    ),
  };
});

test('a printed condition is read as the same tree', () => {
  fc.assert(
    fc.property(expression, (tree) => {
      const printed = print(tree);
      fc.pre(printed.length <= 4_096);
      expect(parse(printed)).toEqual(tree);
    }),
    { numRuns: 500 },
  );
});

test('a condition is true or false for any event, and never throws', () => {
  fc.assert(
    fc.property(expression, fc.object(), (tree, event) => {
      expect(holds(tree, event, new Budget())).toBeTypeOf('boolean');
    }),
    { numRuns: 500 },
  );
});

const pieces = fc.constantFrom(
  'type',
  ' ',
  '=',
  '!',
  '(',
  ')',
  '[',
  ']',
  ',',
  '"',
  "'",
  '\\',
  'and',
  'in',
  '5',
  '.',
  '-',
  'match',
  '#',
  'ü',
);

test('any text is read, or refused with a column within it', () => {
  const anything = fc.oneof(
    fc.array(pieces).map((all) => all.join('')),
    fc.string({ unit: CODE_POINT }),
  );
  fc.assert(
    fc.property(anything, (condition) => {
      const column = columnOf(condition);
      if (column === undefined) return;
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(condition.length + 1);
    }),
    { numRuns: 2_000 },
  );
});

test('what is refused stays refused when correct text is put before it', () => {
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const column = columnOf(parts.join(''));
      fc.pre(column !== undefined);
      expect(columnOf(`type = "x" and ${parts.join('')}`)).toBeLessThanOrEqual(column + 15);
    }),
    { numRuns: 500 },
  );
});

function columnOf(condition: string): number | undefined {
  try {
    parse(condition);
    return undefined;
  } catch (error) {
    if (error instanceof FqlFault) return error.column;
    throw error;
  }
}

/** The same patterns as a regular expression: slower, and plainly right. */
function asRegExp(pattern: readonly string[]): RegExp {
  const source = pattern.map((part) => (part === '*' ? '[^]*' : part === '?' ? '[^]' : part)).join('');
  return new RegExp(`^${source}$`, 'u');
}

test('a pattern matches what the same regular expression matches', () => {
  const parts = fc.array(fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[a-c]'), { maxLength: 8 });
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '😀'), { maxLength: 10 }).map((all) => all.join(''));
  fc.assert(
    fc.property(parts, texts, (pattern, value) => {
      expect(matchesGlob(value, pattern.join(''), new Budget())).toBe(asRegExp(pattern).test(value));
    }),
    { numRuns: 2_000 },
  );
});

test('a text matches itself with every character escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (value) => {
      const pattern = Array.from(value, (character) => `\\${character}`).join('');
      expect(matchesGlob(value, pattern, new Budget())).toBe(true);
      expect(matchesGlob(`${value}x`, pattern, new Budget())).toBe(false);
    }),
  );
});

test('a pattern of many stars takes no longer than its length allows', () => {
  expect(matchesGlob('a'.repeat(2_000), `${'*a'.repeat(200)}b`, new Budget())).toBe(false);
});
