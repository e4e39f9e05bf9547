import { expect, test } from 'vitest';
import { loadDocument } from '../../http/document.ts';
import { createValidation } from '../../http/validation.ts';

const validation = createValidation(loadDocument('config-api'));
const paged = (type: string) => [{ name: 'page_size', in: 'query' as const, schema: { type } }];

test('schemas alike are compiled once, whichever operations have them', () => {
  const source = () => validation.body({ $ref: '#/components/schemas/CreateSource' });
  expect(source()).toBe(source());
  expect(validation.parameters(paged('integer'))).toBe(validation.parameters(paged('integer')));
});

test('schemas that differ have checks of their own', () => {
  const [count, word] = [validation.parameters(paged('integer')), validation.parameters(paged('boolean'))];
  expect([count({ page_size: '7' }), word({ page_size: '7' })]).toEqual([true, false]);
  // Parameters are text, and bodies are taken as sent.
  const body = { type: 'object', properties: { page_size: { type: 'integer' } }, required: [] };
  expect([count({ page_size: '7' }), validation.body(body)({ page_size: '7' })]).toEqual([true, false]);
});
