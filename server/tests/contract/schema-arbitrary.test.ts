import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDocument } from '../../http/document.ts';
import { createValidation } from '../../http/validation.ts';
import { loadContract } from './contract-document.ts';
import { mutate, mutations } from './mutation.ts';
import { valuesOf } from '../../../testbed/contract/schema-arbitrary.ts';

const contract = loadContract();
const validation = createValidation(loadDocument('config-api'));
const WITH_BODY = contract.operations.filter(({ bodySchema }) => bodySchema !== undefined);

test.each(WITH_BODY)('what is generated for the body of $id is valid', ({ bodySchema = {} }) => {
  const check = validation.body(bodySchema);
  const values = valuesOf(bodySchema, { resolve: contract.resolve, texts: [] });
  for (const value of fc.sample(values, { seed: 1, numRuns: 50 })) {
    expect(check(value), JSON.stringify([value, check.errors])).toBe(true);
  }
});

test('mutations make values that are nearly valid', () => {
  const [create] = WITH_BODY.filter(({ id }) => id === 'createSource');
  const check = validation.body(create?.bodySchema ?? {});
  const mutated = fc.sample(mutations(), { seed: 1, numRuns: 200 }).map((one) => mutate(create?.bodyExample, one));
  expect(new Set(mutated.map((value) => check(value)))).toEqual(new Set([true, false]));
});
