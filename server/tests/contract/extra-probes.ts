import type { Contract } from './contract-document.ts';
import { type Givens, exampleOf } from './givens.ts';
import type { Request, World, WorldAnswer } from './world.ts';

export interface ProbeContext {
  readonly world: World;
  readonly contract: Contract;
  readonly givens: Givens;
  /** The operation's example, with a path that names what exists. */
  readonly example: Request;
}

export type Probe = (context: ProbeContext) => Promise<WorldAnswer>;

/**
 * What leads to an answer that does not follow from the document alone, by operation. The world is the operation's own;
 * what a probe leaves behind must not keep the example from succeeding after it.
 */
export const EXTRA_PROBES: Readonly<Record<string, readonly Probe[]>> = {
  deleteAccessToken: [deleteLastToken],
  deleteRegulation: [deleteBegunRegulation],
  deleteSourceRegulation: [deleteBegunRegulation],
  deleteWorkspace: [deleteFullWorkspace],
  downloadBackup: [askWithBoundToken],
  listRouterAuditEntries: [askWithBoundToken],
  listNodes: [askWithBoundToken],
  listSettings: [askWithBoundToken],
  listUnknownKeys: [askWithBoundToken],
  syncAudience: [syncDisabled],
  syncComputedTrait: [syncDisabled],
};

/** 400: the only token with write scope on everything stays. */
async function deleteLastToken({ world }: ProbeContext): Promise<WorldAnswer> {
  const { body } = await world.send({ method: 'GET', path: '/v1beta/access-tokens?page_size=1' });
  const [first] = Object(body['access_tokens']);
  return world.send({ method: 'DELETE', path: `/v1beta/${String(Object(first).name)}` });
}

/** 400: a workspace with sources is not deleted unasked. */
async function deleteFullWorkspace({ world, contract, givens, example }: ProbeContext): Promise<WorldAnswer> {
  const createSource = contract.operations.find(({ id }) => id === 'createSource');
  if (createSource === undefined) throw new Error('the document has no createSource any more');
  const source = exampleOf(createSource, await givens.prepare(createSource));
  await world.send(source);
  const answer = await world.send(example);
  await world.send({ method: 'DELETE', path: `${example.path}/sources/js` });
  return answer;
}

/** 400: a regulation that runs can no longer be cancelled. It runs only as long as the probe takes. */
async function deleteBegunRegulation({ world, example }: ProbeContext): Promise<WorldAnswer> {
  // It belongs to the workspace, also where it is named below its source.
  const name = example.path.replace('/v1beta/', '').replace(/\/sources\/[^/]+/, '');
  const store = world.gate.current;
  const before = await store.get('regulations', name);
  await store.update('regulations', name, (regulation) => ({ ...regulation, overall_status: 'RUNNING' }));
  const answer = await world.send(example);
  await store.update('regulations', name, (regulation) => before ?? regulation);
  return answer;
}

/** 400: what is disabled is not computed. */
async function syncDisabled({ world, example }: ProbeContext): Promise<WorldAnswer> {
  const path = example.path.replace(/:sync$/, '');
  const key = path.includes('/audiences/') ? 'audience' : 'computed_trait';
  const set = (enabled: boolean): Promise<WorldAnswer> => {
    const body = JSON.stringify({ [key]: { enabled }, update_mask: { paths: [`${key}.enabled`] } });
    return world.send({ method: 'PATCH', path, body });
  };
  await set(false);
  const answer = await world.send(example);
  await set(true);
  return answer;
}

/** 403: what belongs to no workspace is not for a token that is bound to some. */
async function askWithBoundToken({ world, example }: ProbeContext): Promise<WorldAnswer> {
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const request = { method: 'POST', path: '/v1beta/access-tokens', body: JSON.stringify({ access_token }) };
  const token = String((await world.send(request)).body['token']);
  return world.send({ ...example, token });
}
