import { globSync, readFileSync } from 'node:fs';
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

const PAGES = new URL('../../../docs/', import.meta.url);
/** A person reads these pages; those of results are made of figures. */
const MAX_WORDS = 25_000;

test('the pages that people write are at most 25,000 words, and none is left out of the count', () => {
  const pages = globSync('**/*.md', { cwd: PAGES }).filter((page) => !page.startsWith('results/'));
  expect(pages.length).toBeGreaterThan(25);
  expect(wordsIn(pages.map((page) => docs(page)))).toBeLessThanOrEqual(MAX_WORDS);
});

test('words are counted as `wc -w` counts them', () => {
  expect(wordsIn(['# Two words\n', '\n| one | two |\n'])).toBe(8);
});

function wordsIn(texts: readonly string[]): number {
  return texts.flatMap((text) => text.split(/\s+/).filter((word) => word !== '')).length;
}

/** prom-client keeps them, and does not say so in its types. */
function labelsOf(metric: object): string {
  const labels: unknown = Reflect.get(metric, 'labelNames');
  return Array.isArray(labels) ? labels.filter((label) => label !== 'le').join(', ') : '';
}

function byName(a: { readonly name: string | undefined }, b: { readonly name: string | undefined }): number {
  return (a.name ?? '').localeCompare(b.name ?? '');
}

function docs(name: string): string {
  return readFileSync(new URL(name, PAGES), 'utf8');
}
