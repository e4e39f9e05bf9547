import fc from 'fast-check';
import type { Contract, ContractOperation } from './contract-document.ts';
import { Givens } from './givens.ts';
import { keepsLog } from './probes.ts';
import { exampleDraft, filledIn, type RequestDraft, requestsOf } from './request-arbitrary.ts';
import { startWorld, type World } from './world.ts';

export interface RandomOptions {
  /** The same seed sends the same requests. */
  readonly seed: number;
  readonly requests: number;
}

/** The statuses of so many random requests; throws, with the smallest request that shows it, when one is not as documented. */
export async function answersTo(
  document: Contract,
  operation: ContractOperation,
  { seed, requests }: RandomOptions,
): Promise<number[]> {
  const world = await startWorld({ keepsLog: keepsLog(operation) });
  const givens = new Givens(document, world);
  const tokens = await tokensOf(world);
  const statuses: number[] = [];
  const property = fc.asyncProperty(requestsOf(document, operation), async (draft) => {
    const request = filledIn(operation, draft, await givens.prepare(operation));
    const answer = await world.send({ ...request, token: tokens[draft.token] });
    statuses.push(answer.status);
    if (answer.status === 200 && operation.method === 'delete') givens.forget();
    const fault =
      document.faultOf(operation, answer) ?? (answer.status === 500 ? JSON.stringify(answer.body) : undefined);
    if (fault !== undefined) throw new Error(`${fault}\n${JSON.stringify(request)}`);
  });
  // First what must succeed: without a success only refusals would be looked at.
  await fc.assert(property, { seed, numRuns: requests, examples: [[exampleDraft(operation)]] });
  return statuses;
}

async function tokensOf(world: World): Promise<Record<RequestDraft['token'], string | null | undefined>> {
  const access_token = { description: 'a reader', scopes: 'workspace:read' };
  const request = { method: 'POST', path: '/v1beta/access-tokens', body: JSON.stringify({ access_token }) };
  const reader = String((await world.send(request)).body['token']);
  return { writer: undefined, reader, stranger: 'no-such-token', nobody: null };
}
