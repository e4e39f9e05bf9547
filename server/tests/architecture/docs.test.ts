import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryTable } from '../../../scripts/docs/retry-table.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import { SETTINGS } from '../../settings/settings.ts';

test('docs/retries.md holds the table that the code computes', () => {
  expect(docs('retries.md')).toContain(retryTable());
});

test('docs/settings.md names every setting with its default, and no other', () => {
  const rows = [...docs('settings.md').matchAll(/^\| `--([\w-]+)` \| ([^|]+) \|/gm)];
  const documented = rows.map(([, flag, standard]) => ({ flag, standard: standard?.trim() }));
  expect(documented).toEqual(
    Object.values(SETTINGS).map(({ flag, standard }) => ({
      flag,
      standard: expect.stringMatching(standard ? `^\`${standard}\`$` : /^(none|made, and shown once)$/),
    })),
  );
});

test('docs/operating.md names every metric with its labels, and no other', async () => {
  const rows = docs('operating.md').matchAll(/^\| `(waybill_\w+)(?:\{([^}]*)\})?` \|/gm);
  const documented = [...rows].map(([, name, labels = '']) => ({ name, labels }));
  const metrics = createInstruments().registry.getMetricsAsArray();
  expect(documented.toSorted(byName)).toEqual(
    metrics.map((metric) => ({ name: metric.name, labels: labelsOf(metric) })).toSorted(byName),
  );
});

/** prom-client keeps them, and does not say so in its types. */
function labelsOf(metric: object): string {
  const labels: unknown = Reflect.get(metric, 'labelNames');
  return Array.isArray(labels) ? labels.filter((label) => label !== 'le').join(', ') : '';
}

function byName(a: { readonly name: string | undefined }, b: { readonly name: string | undefined }): number {
  return (a.name ?? '').localeCompare(b.name ?? '');
}

function docs(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}
