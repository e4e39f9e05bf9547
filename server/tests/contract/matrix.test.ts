import { afterAll, expect, test } from 'vitest';
import { loadContract } from './contract-document.ts';
import { matrixFaults, matrixText } from './matrix.ts';
import { type Proof, prove } from './probes.ts';

const contract = loadContract();
const proofs: Proof[] = [];

afterAll(() => console.log(matrixText(proofs)));

test.each(contract.operations)(
  'CFG-1, CFG-2: $id gives every answer of its contract, and no other',
  async (operation) => {
    const proof = await prove(contract, operation);
    proofs.push(proof);
    expect(matrixFaults([proof])).toEqual([]);
  },
);
