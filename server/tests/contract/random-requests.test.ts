import { afterAll, expect, test } from 'vitest';
import { loadContract } from './contract-document.ts';
import { answersTo } from './random-requests.ts';
import { contractSeed, replayLine } from './seed.ts';

/** In all; shared evenly by the operations. */
const REQUESTS = 4_000;

const contract = loadContract();
const seed = contractSeed();
const tally = new Map<number, number>();

afterAll(() => {
  const sum = [...tally.values()].reduce((total, count) => total + count, 0);
  const shown = [...tally].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(replayLine(`Contract: ${sum} random requests (${shown.join(', ')})`, seed));
});

test.each(contract.operations)(
  'CFG-14: $id answers whatever it is sent as documented',
  async (operation) => {
    const statuses = await answersTo(contract, operation, {
      seed,
      requests: Math.ceil(REQUESTS / contract.operations.length),
    });
    for (const status of statuses) tally.set(status, (tally.get(status) ?? 0) + 1);
    expect(statuses).toContain(200);
    expect(statuses).not.toContain(500);
  },
  120_000,
);

test('an answer that the document does not have is found by random requests', async () => {
  const [operation] = contract.operations.filter(({ id }) => id === 'updateSource');
  if (operation === undefined) throw new Error('the document has no updateSource any more');
  const poorer = { ...operation, statuses: operation.statuses.filter((status) => status !== 400) };
  await expect(answersTo(contract, poorer, { seed: 1, requests: 200 })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('updateSource 400 is not documented') },
  });
});
