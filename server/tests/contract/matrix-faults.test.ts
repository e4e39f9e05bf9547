import { expect, test } from 'vitest';
import { type ContractOperation, loadContract } from './contract-document.ts';
import { matrixFaults, matrixText } from './matrix.ts';
import { prove } from './probes.ts';

const contract = loadContract();
const operation = createSource();

function createSource(): ContractOperation {
  const found = contract.operations.find(({ id }) => id === 'createSource');
  if (found === undefined) throw new Error('the document has no createSource any more');
  return found;
}

async function faultsOf(
  changes: Pick<Partial<ContractOperation>, 'statuses' | 'template' | 'bodyExample'>,
): Promise<string[]> {
  return matrixFaults([await prove(contract, { ...operation, ...changes })]);
}

test('an operation that answers as documented has no fault', async () => {
  expect(await faultsOf({})).toEqual([]);
});

test('a documented answer that nothing leads to is a fault', async () => {
  const [fault] = await faultsOf({ statuses: [...operation.statuses, 418] });
  expect(fault).toContain('418 is documented, and nothing led to it: createSource. Add what does to EXTRA_PROBES');
});

test('an answer that is not documented is a fault', async () => {
  const [fault] = await faultsOf({ statuses: operation.statuses.filter((status) => status !== 409) });
  expect(fault).toContain('createSource: createSource 409 is not documented');
});

test('an operation without an example says where to add one', async () => {
  const [fault] = await faultsOf({ bodyExample: undefined });
  expect(fault).toContain('createSource has no example of its body: add one beside its schema in openapi/config-api/');
});

test('a path that nothing fills says where to add what does', async () => {
  const [fault] = await faultsOf({ template: '/v1beta/workspaces/{workspace}/things/{thing}' });
  expect(fault).toContain('add how to MAKERS in server/tests/contract/givens.ts');
});

test('an answer of another shape than documented is a fault', () => {
  const answer = { status: 200, type: 'application/json', body: { name: 'workspaces/main/sources/js' } };
  expect(contract.faultOf(operation, answer)).toContain("must have required property 'parent'");
  expect(contract.faultOf(operation, { ...answer, type: 'text/html' })).toContain(
    'text/html, and not application/json',
  );
});

test('the table shows what is documented, proven and missing', () => {
  const proofs = [
    { operation: 'a', documented: [200, 404], proven: new Set([200, 404]), faults: [] },
    { operation: 'bb', documented: [200, 409], proven: new Set([200]), faults: [] },
  ];
  expect(matrixText(proofs).split('\n').slice(0, 4)).toEqual([
    'Contract: 2 operations, 4 documented answers, 3 proven',
    '     200 404 409',
    '  a   ●   ●   ·',
    '  bb  ●   ·   ✗',
  ]);
});
