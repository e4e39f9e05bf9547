import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORBIDDEN_FORMS } from '../../cli/doctor/addresses/forbidden-forms.ts';
import { HOSTILE_ROWS } from '../../../scripts/hostile/rows.ts';

const docs = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8');

test('docs/reliability.md has a row for every hostile receiver', () => {
  const missing = HOSTILE_ROWS.filter(({ fault, outcome }) => !docs.includes(`\n| ${fault} | ${outcome} | `));
  expect(missing).toEqual([]);
});

test('docs/reliability.md counts the forbidden forms of each kind', () => {
  const groups = [...Map.groupBy(FORBIDDEN_FORMS, ({ group }) => group)];
  const missing = groups.filter(([group, { length }]) => !docs.includes(`\n| ${group} | ${length} | ${length} |\n`));
  expect(missing.map(([group]) => group)).toEqual([]);
  expect(docs).toContain(`| **all** | **${FORBIDDEN_FORMS.length}** | `);
});
