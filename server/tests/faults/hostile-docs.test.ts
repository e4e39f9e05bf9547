import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORBIDDEN_FORMS } from '../../cli/doctor/addresses/forbidden-forms.ts';
import { HOSTILE_ROWS } from '../../../scripts/hostile/rows.ts';

test('docs/reliability.md counts the forbidden forms and the hostile receivers', () => {
  const docs = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8');
  expect(docs).toContain(`There are ${FORBIDDEN_FORMS.length} forms;`);
  expect(docs).toContain(`each of ${HOSTILE_ROWS.length} receivers`);
});
