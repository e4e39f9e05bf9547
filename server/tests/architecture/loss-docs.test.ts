import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDocument } from '../../http/document.ts';
import { ADJUST_REASONS, BLOCK_REASONS } from '../../losses/dropped-events.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';

const SCHEMAS = loadDocument('config-api').components.schemas ?? {};

/** The words in the first column of the table that stands below a heading, or of the whole page. */
function rowsOf(page: string, heading = ''): string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const [section = ''] = text.slice(text.indexOf(heading)).split(/\n## /, 1);
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)).toSorted();
}

function enumOf(name: string): string[] {
  const choices: unknown = SCHEMAS[name]?.['enum'];
  return (Array.isArray(choices) ? choices.map(String) : []).toSorted();
}

test('docs/dropped-events.md names every reason, and no other', () => {
  expect(rowsOf('dropped-events.md', '## Dropped')).toEqual(enumOf('DropReason'));
  expect(rowsOf('dropped-events.md', '## Blocked')).toEqual(enumOf('BlockReason'));
  expect([...BLOCK_REASONS].toSorted()).toEqual(enumOf('BlockReason'));
  expect(rowsOf('dropped-events.md', '## Adjusted')).toEqual(enumOf('AdjustReason'));
  expect([...ADJUST_REASONS].toSorted()).toEqual(enumOf('AdjustReason'));
});

/** What the service of the SDKs records for events that it drops at ingestion. */
const KNOWN_ELSEWHERE = `empty_batch empty_batch_result multi_user_error no_user_anon_id id_required id_not_string
  event_not_defined event_not_string properties_not_object traits_not_object name_not_string category_not_string bad_request
  unknown_source source_disabled locked_workspace consent_… device_advertisingid_should_be_string`.split(/\s+/);

test('D-42: every reason that SDKs know is one of ours, or told otherwise', () => {
  const told = new Set([...rowsOf('dropped-events.md', '## Dropped'), ...rowsOf('dropped-events.md', '## Reasons of')]);
  expect(KNOWN_ELSEWHERE.filter((reason) => !told.has(reason))).toEqual([]);
});

function byName([a = '']: string[], [b = '']: string[]): number {
  return a.localeCompare(b);
}

test('docs/tracking-plans.md names every kind of violation, and no other', () => {
  expect(rowsOf('tracking-plans.md', '## See').filter((word) => word !== '/metrics')).toEqual(enumOf('ViolationKind'));
});

test('D-47: docs/tracking-plans.md tells every field of the schema configuration, with its default', () => {
  const text = readFileSync(new URL('../../../docs/tracking-plans.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| `([^`]*)` \|/gm)].map(([, field = '', standard = '']) => [
    field,
    standard,
  ]);
  const fields = Object.entries(LET_THROUGH).map(([field, value]) => [field, value === '' ? '""' : String(value)]);
  expect(rows.toSorted(byName)).toEqual(fields.toSorted(byName));
});
