import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FUNCTIONS } from '../../fql/functions.ts';
import { parse } from '../../fql/parse.ts';

const DOC = readFileSync(new URL('../../../docs/fql.md', import.meta.url), 'utf8');

test('docs/fql.md shows only conditions that can be read', () => {
  const [, examples = ''] = /```text\n([^]*?)```/.exec(DOC) ?? [];
  const lines = examples.trim().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(() => parse(line)).not.toThrow();
});

test('docs/fql.md names every function, and no other', () => {
  const table = DOC.slice(DOC.indexOf('| function |'), DOC.indexOf('In a pattern'));
  const named = [...table.matchAll(/`(\w+)\(/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.keys(FUNCTIONS)));
});
