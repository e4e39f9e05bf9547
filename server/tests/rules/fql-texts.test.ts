import { expect, test } from 'vitest';
import { Budget, OverBudget } from '../../evaluation/budget.ts';
import { call } from '../../fql/functions.ts';
import { matchesGlob } from '../../fql/glob.ts';
import { includesPart, indexOfCodes } from '../../fql/search.ts';
import { isEqual, orderOf } from '../../fql/values.ts';

const matches = (text: string, pattern: string): boolean => matchesGlob(text, pattern, new Budget());

test.each<[pattern: string, matching: readonly string[], other: readonly string[]]>([
  ['', [''], ['a']],
  ['*', ['', 'a', 'ab\n😀'], []],
  ['a', ['a'], ['', 'b', 'aa', 'A']],
  ['a*', ['a', 'ab', 'aa'], ['', 'ba']],
  ['*a', ['a', 'ba', 'aa'], ['', 'ab']],
  ['*a*', ['a', 'ba', 'ab', 'bab'], ['', 'b']],
  ['a*a', ['aa', 'aba', 'aaa'], ['a', 'ab', 'ba', '']],
  ['ab*bc', ['abbc', 'abxbc'], ['abc', 'bc', 'ab']],
  ['a**b', ['ab', 'axb'], ['a', 'b']],
  ['*ab*ab*', ['abab', 'xabxabx'], ['ab', 'aab', 'abb']],
  ['*aab*', ['aaab', 'aaaab', 'baab'], ['abab', 'aba']],
  ['*ab?*c', ['abxc', 'xabyzc', 'ababc'], ['abc', 'abx', 'axbc']],
  ['*?b*d', ['abd', 'xxabccd', 'bbd'], ['bd', 'ab', 'axd']],
  ['?', ['a', '😀', '\n', '?'], ['', 'ab']],
  ['a?c', ['abc', 'a😀c'], ['ac', 'abbc', 'bbc', 'abb']],
  ['*?', ['a', 'ab'], ['']],
  ['[abc]', ['a', 'b', 'c'], ['', 'd', 'ab', '-', '\0']],
  ['[ace]', ['a', 'c', 'e'], ['b', 'd']],
  ['a*[bc]*d', ['abd', 'axcxd'], ['ad', 'axd']],
  ['??', ['\uffffa', '😀😀'], ['\uffff', '😀']],
  ['[b-d]', ['b', 'c', 'd'], ['a', 'e', '-']],
  ['[b-dx]', ['b', 'c', 'd', 'x'], ['a', 'e', 'w', 'y', '-']],
  ['[a-]', ['a', '-'], ['b']],
  ['[-a]', ['-', 'a'], ['b']],
  ['[a-c-e]', ['a', 'b', 'c', '-', 'e'], ['d']],
  ['[α-ω😀]', ['β', '😀'], ['a', '😁']],
  ['[*?]', ['*', '?'], ['a']],
  ['[]]', [']'], ['[', '[]']],
  ['[]', ['[]'], ['[', ']']],
  ['[]a]', [']', 'a'], ['[']],
  ['[a', ['[a'], ['a', '[']],
  ['a]', ['a]'], ['a']],
  ['[a]]', ['a]'], ['a', ']']],
  ['[a][b]', ['ab'], ['a', 'b', 'ba']],
  ['[a]*[b]', ['ab', 'axb'], ['a', 'ba']],
  ['*[ab]c*', ['ac', 'xbcx', 'aac'], ['c', 'xc', 'ab']],
  [String.raw`\*`, ['*'], ['a', '', String.raw`\*`]],
  [String.raw`\?a`, ['?a'], ['aa']],
  [String.raw`\[a]`, ['[a]'], ['a']],
  [String.raw`\\`, ['\\'], ['\\\\']],
  ['a\\', ['a\\'], ['a']],
  ['😀*', ['😀', '😀a'], ['\ud83d', 'a']],
  ['\ud83d', ['\ud83d'], ['😀']],
])('%s describes %j whole, and not %j', (pattern, matching, other) => {
  expect(matching.filter((text) => !matches(text, pattern))).toEqual([]);
  expect(other.filter((text) => matches(text, pattern))).toEqual([]);
});

const codes = (of: string): number[] => Array.from(of, (character) => character.charCodeAt(0));

test.each<[text: string, part: string, from: number, at: number | undefined]>([
  ['', '', 0, 0],
  ['abc', '', 2, 2],
  ['abc', 'abc', 0, 0],
  ['abc', 'abcd', 0, undefined],
  ['abc', 'c', 0, 2],
  ['abcabc', 'abc', 1, 3],
  ['abc', 'a', 1, undefined],
  ['aaab', 'aab', 0, 1],
  ['ababac', 'abac', 0, 2],
  ['aabaaabaaac', 'aabaaac', 0, 4],
  ['abacababacabac', 'abacabac', 0, 6],
  ['aaaaaaab', 'aaab', 0, 4],
  ['abacbacx', 'abacx', 0, undefined],
  ['abbx', 'abx', 0, undefined],
  ['abcabd', 'abd', 0, 3],
  ['abcaby', 'abcabx', 0, undefined],
])('of %j the part %j stands first, from %i on, at %s', (text, part, from, at) => {
  expect(indexOfCodes(codes(text), codes(part), from, new Budget())).toBe(at);
});

test('a part is found in a long text as in a short one', () => {
  const long = `${'ab'.repeat(2_000)}ä😀`;
  for (const text of ['abäb😀', long]) {
    for (const part of ['', 'bä', '😀', 'ab', 'ä😀', 'ab'.repeat(1_000)]) {
      expect([text.length, part, includesPart(text, part, new Budget())]).toEqual([
        text.length,
        part,
        text.includes(part),
      ]);
    }
  }
  for (const part of ['ac', 'ba😀', `${'ab'.repeat(1_000)}b`, `b${'ab'.repeat(2_000)}`]) {
    expect(includesPart(long, part, new Budget())).toBe(false);
  }
  const ending = 'ab'.repeat(100);
  expect(includesPart(`${'ab'.repeat(1_000)}c${ending}x`, `c${ending}x`, new Budget())).toBe(true);
  expect(includesPart(`${'ab'.repeat(1_000)}c${ending}`, `c${ending}x`, new Budget())).toBe(false);
});

const stepsOf = (work: (budget: Budget) => unknown): number => {
  const budget = new Budget();
  work(budget);
  return budget.used;
};

/** Of a search in a text of this length for a part of that length, which it has all but the end of. */
const search = (text: number, part: number): number =>
  stepsOf((budget) => includesPart('a'.repeat(text), `${'a'.repeat(part - 1)}b`, budget));

const match = (text: string, pattern: string): number => stepsOf((budget) => matchesGlob(text, pattern, budget));

test('SAFE-2: a search pays by the sum of both lengths, and a short one by their product', () => {
  expect(search(100, 10)).toBe(1 + 1_000 / 16);
  expect(search(256, 256)).toBe(1 + 65_536 / 16);
  // Above that, both are paid for by their lengths: the text by blocks of 256.
  expect(search(256, 257)).toBe(2 * 257 + 2 * 256);
  expect(search(100_000, 1_000)).toBe(2 * 1_000 + 2 * 256 * Math.ceil(100_000 / 256));
  expect(() => includesPart('a'.repeat(900_000), 'b'.repeat(100), new Budget())).toThrow(OverBudget);
});

test('SAFE-2: a pattern pays for its length, for the text, and for each place that is compared', () => {
  // One for each character, eight for each of the pattern; then one for a comparison, and one for each of its places.
  expect(match('abc', 'abc')).toBe(3 + 8 * 3 + 4);
  expect(match('abc', 'abd')).toBe(3 + 8 * 3 + 4);
  expect(match('xbc', 'abc')).toBe(3 + 8 * 3 + 2);
  // Of a range both ends are looked at.
  expect(match('abc', 'a?[a-c]')).toBe(3 + 8 * 7 + 1 + 1 + 2 + 2);
  expect(match('aaaa', '*?b')).toBe(4 + 8 * 3 + 1 + (1 + 2 + 1));
  // What may stand anywhere is compared at each place until it fits.
  expect(match('aaaab', '*?b*')).toBe(5 + 8 * 4 + 1 + 1 + 4 * (1 + 2 + 1));
});

test('SAFE-2: texts pay for their length where they are compared', () => {
  const text = 'a'.repeat(1_600);
  expect(stepsOf((budget) => isEqual(text, text, budget))).toBe(4 + 100);
  expect(stepsOf((budget) => isEqual([text, 1], [text, 1], budget))).toBe(3 * 4 + 100);
  expect(stepsOf((budget) => orderOf(text, text, budget))).toBe(1 + 100);
});

const steps = (name: Parameters<typeof call>[0], ...values: readonly unknown[]): number =>
  stepsOf((budget) => call(name, values, budget));

test('SAFE-2: a function pays for the length of its text, or for the items of its list', () => {
  const text = 'a'.repeat(1_600);
  expect(steps('contains', [1, 2, 3], text)).toBe(3 * (1 + 100));
  expect(steps('contains', [1, 2, 3], 1)).toBe(3);
  expect([steps('length', text), steps('number', text)]).toEqual([400, 400]);
  expect([steps('number', 5), steps('number', null)]).toEqual([0, 0]);
});

test('only what is of one kind is equal, or in an order', () => {
  const values = [null, 0, '', false, [], {}, 'a', 1];
  const pairs = values.map((left) => values.map((right) => isEqual(left, right, new Budget())));
  // An object is equal to nothing, not even to itself.
  expect(pairs).toEqual(values.map((_, row) => values.map((__, column) => row === column && row !== 5)));
  expect(isEqual(null, undefined, new Budget())).toBe(true);
  expect(isEqual([1, [2]], [1, [2]], new Budget())).toBe(true);
  expect(isEqual([1, [2]], [1, [3]], new Budget())).toBe(false);
  expect(isEqual([1], [1, 2], new Budget())).toBe(false);
  expect([orderOf(2, 1, new Budget()), orderOf('a', 'b', new Budget()), orderOf('b', 'a', new Budget())]).toEqual([
    1, -1, 1,
  ]);
  expect([orderOf('1', 1, new Budget()), orderOf(1, '1', new Budget()), orderOf([], [], new Budget())]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
