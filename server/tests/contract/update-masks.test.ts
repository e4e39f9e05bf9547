import { expect, test } from 'vitest';
import type { Schema } from '../../http/document.ts';
import { type ContractOperation, loadContract } from './contract-document.ts';
import { exampleOf, Givens } from './givens.ts';
import { keepsLog } from './probes.ts';
import { startWorld, type World } from './world.ts';

const contract = loadContract();
const WITH_BODY = contract.operations.filter(({ bodySchema }) => bodySchema !== undefined);
const UPDATES = WITH_BODY.filter((operation) => maskOf(operation) !== undefined);

function maskOf({ bodySchema = {} }: ContractOperation): Schema | undefined {
  const mask: Schema | undefined = Object(contract.resolve(bodySchema)['properties']).update_mask;
  return mask === undefined ? undefined : contract.resolve(mask);
}

function maskExamples(operation: ContractOperation): readonly unknown[] {
  const examples: unknown = maskOf(operation)?.['examples'];
  return Array.isArray(examples) ? examples : [];
}

/** A world in which the example of the operation would succeed, and the request that it is. */
async function prepared(operation: ContractOperation) {
  const world: World = await startWorld({ keepsLog: keepsLog(operation) });
  const request = exampleOf(operation, await new Givens(contract, world).prepare(operation));
  return { world, request };
}

function withMask({ bodyExample }: ContractOperation, update_mask: unknown): string {
  return JSON.stringify({ ...Object(bodyExample), update_mask });
}

test('every update of the document has a mask', () => {
  const updates = contract.operations.filter(({ method }) => method === 'patch' || method === 'put');
  expect(UPDATES.map(({ id }) => id).toSorted()).toEqual(updates.map(({ id }) => id).toSorted());
});

test.each(UPDATES)('D-3: $id takes the example of its mask', async (operation) => {
  const { world, request } = await prepared(operation);
  const examples = maskExamples(operation);
  expect(examples).not.toEqual([]);
  for (const mask of examples) {
    const body = withMask(operation, mask);
    expect(await world.send({ ...request, body })).toMatchObject({ status: 200 });
  }
});

test('D-3: the example of the mask of another resource is refused', async () => {
  const operation = UPDATES.find(({ id }) => id === 'updateSource');
  if (operation === undefined) throw new Error('the document has no updateSource any more');
  const { world, request } = await prepared(operation);
  const body = withMask(operation, { paths: ['destination.enabled'] });
  expect(await world.send({ ...request, body })).toMatchObject({ status: 400 });
});

test.each(WITH_BODY)('requestBody.required of $id says what is true', async (operation) => {
  const { world, request } = await prepared(operation);
  const { status } = await world.send({ ...request, body: undefined });
  expect({ status, isRequired: status === 400 }).toEqual({ status, isRequired: operation.isBodyRequired });
});
