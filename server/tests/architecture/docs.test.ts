import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryTable } from '../../../scripts/docs/retry-table.ts';
import { SETTINGS } from '../../settings.ts';

test('docs/retries.md holds the table that the code computes', () => {
  expect(docs('retries.md')).toContain(retryTable());
});

test('docs/settings.md names every setting with its default, and no other', () => {
  const rows = [...docs('settings.md').matchAll(/^\| `--([\w-]+)` \| `(\w+)` \| ([^|]+) \|/gm)];
  const documented = rows.map(([, flag, variable, standard]) => ({ flag, variable, standard: standard?.trim() }));
  expect(documented).toEqual(
    Object.values(SETTINGS).map(({ flag, standard }) => ({
      flag,
      variable: `WAYBILL_${flag.toUpperCase().replaceAll('-', '_')}`,
      standard: expect.stringMatching(standard ? `^\`${standard}\`$` : /^(none|made, and shown once)$/),
    })),
  );
});

function docs(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}
