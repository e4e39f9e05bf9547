import { expect, test } from 'vitest';
import { exampleRequest } from '../../../scripts/generate/example-request.ts';
import { loadContract } from './contract-document.ts';
import { exampleOf, Givens } from './givens.ts';
import { keepsLog } from './probes.ts';
import { startWorld } from './world.ts';

const contract = loadContract();

/** Ids that the router generates: in their place stands what it answered. */
const GENERATED = /^(?:(?:aud|rg|rs|tra)_\w{27}|df_\w+|[0-9a-f]{24}|\d+)(?=$|:)/;

test.each(contract.operations)('the example request of $id in the reference succeeds', async (operation) => {
  const world = await startWorld({ keepsLog: keepsLog(operation) });
  const sent = exampleOf(operation, await new Givens(contract, world).prepare(operation));
  const shown = exampleRequest(operation);
  expect({ ...shown, path: chosenPartsOf(shown.path) }).toEqual({ ...sent, path: chosenPartsOf(sent.path) });
  expect(await world.send(sent)).toMatchObject({ status: 200 });
});

function chosenPartsOf(path: string): string {
  return path
    .split('/')
    .map((segment) => segment.replace(GENERATED, '<generated>'))
    .join('/');
}
