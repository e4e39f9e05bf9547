import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';

/** Conditions that say nothing themselves, and why they need not. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = {
  "inject('postgres') === ''": 'the set-up of the run says it: server/tests/support/offer-postgres.ts',
  'findPostgres() === undefined': 'the set-up of the run says it: server/tests/support/offer-postgres.ts',
  'scheme.signBoth !== undefined': 'a row of a table has no such test, on any machine',
};

const PACKAGES = '{server,client,cli,testbed,console,scripts}';
const FILES = globSync([`${PACKAGES}/**/*.test.ts`, `${PACKAGES}/**/tests/**/*.ts`], {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
}).filter((file) => !file.endsWith('architecture/skips.test.ts'));
const TEXTS = new Map([...new Set(FILES)].map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** Functions and constants that tell in a line what tests need. */
function tellingNames(texts: Iterable<string>): ReadonlySet<string> {
  const names = [...texts].flatMap((text) =>
    text.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/).flatMap((block) => {
      const [, name] = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(block) ?? [];
      return name !== undefined && block.includes('isPossible(') ? [name] : [];
    }),
  );
  return new Set(names);
}

/** Up to the parenthesis that ends what begins at `start`. */
function argumentAt(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
  }
  return text.slice(start, end - 1).trim();
}

/** Tests that are left out, or end early, without a word of what they need. */
function silentSkips(text: string, telling: ReadonlySet<string>): string[] {
  const conditions = [...text.matchAll(/\.(?:skipIf|runIf)\(/g)].map((found) =>
    argumentAt(text, found.index + found[0].length),
  );
  const silent = conditions.filter((condition) => {
    const [, name = ''] = /^!?(\w+)(?:\([\w, ]*\))?$/.exec(condition) ?? [];
    return !condition.startsWith('isPossible(') && !telling.has(name) && SAID_ELSEWHERE[condition] === undefined;
  });
  return [...silent, ...Array.from(text.matchAll(OUT_OF_HAND), ([found]) => found.trim()), ...earlyEnds(text)];
}

const OUT_OF_HAND = /\b(?:test|it|describe)\.(?:skip|todo|only)\b|\b(?:ctx|context|task)\.skip\(|\bskip\(\)/g;

/** Lines with which the body of a test itself ends where something is missing. */
function earlyEnds(text: string): string[] {
  const lines = text.split('\n');
  let indent: number | undefined;
  return lines.filter((line) => {
    const [, space = '', begins] = /^( *)((?:test|it)\b.*[({,]$)?/.exec(line) ?? [];
    if (indent === undefined && begins !== undefined) indent = space.length;
    else if (indent === space.length && /^ *[)}]/.test(line) && line.endsWith(';')) indent = undefined;
    const isInBody = indent !== undefined && space.length === indent + 2;
    return isInBody && /^ *if \(.*\) return\b/.test(line);
  });
}

test('each test that is left out on some machines says what it needs', () => {
  const telling = tellingNames(TEXTS.values());
  const found = [...TEXTS].flatMap(([file, text]) => silentSkips(text, telling).map((skip) => `${file}: ${skip}`));
  expect(found, 'use isPossible of server/tests/support/possible.ts').toEqual([]);
});

test('the reasons that are said elsewhere are still needed', () => {
  const all = [...TEXTS.values()].join('\n');
  expect(Object.keys(SAID_ELSEWHERE).filter((condition) => !all.includes(`If(${condition})`))).toEqual([]);
});

test.each([
  ["test.skipIf(!existsSync('/dev/full'))('a fact', () => {});", "!existsSync('/dev/full')"],
  ['test.runIf(HAS_IT)(() => {});', 'HAS_IT'],
  ["describe.skip('a fact', () => {});", 'describe.skip'],
  ["test('a fact', () => {\n  if (!isRoot) return;\n  act();\n});", '  if (!isRoot) return;'],
  ["test('a fact', (context) => {\n  context.skip();\n});", 'context.skip('],
])('a silent skip is found: %s', (text, skip) => {
  expect(silentSkips(text, new Set())).toEqual([skip]);
});

test.each([
  "test.runIf(isPossible(existsSync('/dev/full'), '/dev/full'))('a fact', () => {});",
  "test.skipIf(!canMount())('a fact', () => {});",
  "test('a fact', () => {\n  act();\n});\n\nfunction act() {\n  if (isDone) return;\n}",
  "test('a fact', () => {\n  act(() => {\n    if (isDone) return;\n  });\n});",
])('what says its need, or skips nothing, is not: %s', (text) => {
  const support = "export function canMount(): boolean {\n  return isPossible(false, 'root');\n}\n";
  expect(silentSkips(text, tellingNames([support]))).toEqual([]);
});
