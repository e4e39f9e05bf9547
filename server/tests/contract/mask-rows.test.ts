import { expect, test } from 'vitest';
import type { Schema } from '../../http/document.ts';
import { type Contract, loadContract } from './contract-document.ts';
import { maskRows } from './mask-rows.ts';

/** A document whose one update has these fields. */
function contractOf(fields: Readonly<Record<string, Schema>>): Contract {
  const document = loadContract();
  const bodySchema = { properties: { thing: { properties: { ...fields, update_mask: {} } }, update_mask: {} } };
  const operations = document.operations
    .filter(({ id }) => id === 'updateSource')
    .map((one) => ({ ...one, bodySchema }));
  return { ...document, operations };
}

test('CFG-8: every field of an update has its rows, and a new one joins by itself', () => {
  const inner = { type: 'object', properties: { c: { type: 'boolean' } } };
  const rows = maskRows(contractOf({ a: { type: 'string' }, b: inner }));
  expect(rows.map(({ key, path, empty }) => [key, path, empty])).toEqual([
    ['thing', 'a', ''],
    ['thing', 'b', {}],
    ['thing', 'b.c', false],
  ]);
});

test('a field whose empty value is not known says where to add it', () => {
  const choice = { type: 'string', enum: ['a', 'b'] };
  expect(() => maskRows(contractOf({ choice }))).toThrow(
    'updateSource choice does not follow from its type: add it to EMPTIES',
  );
});

test('the five resources of the specification are among the rows', () => {
  const operations = new Set(maskRows(loadContract()).map(({ operation }) => operation.id));
  const five = ['updateAccessToken', 'updateWorkspace', 'updateSource', 'updateDestination', 'updateTrackingPlan'];
  expect(five.filter((id) => !operations.has(id))).toEqual([]);
});
