import { ApiError } from '../../http/errors.ts';
import type { StoredRegulation } from '../../model/regulation.ts';
import { isUntouched } from '../../jobs/regulations/regulation.ts';
import { workspaceOf } from '../../model/resources.ts';
import { rowsAfter } from '../../jobs/regulations/rows.ts';
import type { Caller } from '../caller.ts';
import { matching, type Precondition } from '../entity-tag.ts';
import type { Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { type PageQuery, pageToken, readPage } from '../paging.ts';
import { found, notFound, requireCreated } from '../store-answers.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import {
  type CreateRegulation,
  makeRegulation,
  refuseBegun,
  type Regulation,
  shownRegulation,
  type SuppressedUser,
} from './resource.ts';
import { type RegulationQuery, wantedIn } from './wanted.ts';

/**
 * Who asks about the regulations of which scope: a workspace or one of its sources, by full name. Those of a source belong
 * to its workspace all the same: they are listed there too, and outlive the source (D-12).
 */
export interface Asked {
  readonly scope: string;
  readonly caller: Caller;
}

export async function listRegulations(
  { store }: Env,
  asked: Asked,
  query: RegulationQuery,
): Promise<{ regulations: Regulation[]; next_page_token: string }> {
  const isWanted = wantedIn(query);
  const scope = await requireScope(store, asked);
  const isVisible = (one: StoredRegulation): boolean => isWithin(one, scope) && isWanted(one);
  const rows = { kind: 'regulations', parent: workspaceOf(scope), collection: `${scope}/regulations` } as const;
  const { items, next_page_token } = await listPage(store, { ...rows, query, isVisible });
  return { regulations: items.map(shownRegulation), next_page_token };
}

export async function createRegulation(
  { store, clock, regulations, directory }: Env,
  asked: Asked,
  wanted: CreateRegulation,
): Promise<Regulation> {
  await requireWorkspaceOf(store, asked.caller, asked.scope);
  const regulation = makeRegulation(wanted, await requireScope(store, asked), clock.now());
  if (regulation.source_name !== undefined) refuseVainUnsuppress(regulation, directory.suppressed(regulation.parent));
  requireCreated(await store.create('regulations', regulation), 'regulations', regulation.name);
  regulations.add(regulation.name);
  return shownRegulation(regulation);
}

/** Its source may be gone by now: whoever waits for a deletion still sees its end. */
export async function getRegulation({ store }: Env, { scope, caller }: Asked, id: string): Promise<Regulation> {
  const name = requireVisible(caller, `${scope}/regulations/${id}`);
  const regulation = await store.get('regulations', `${workspaceOf(scope)}/regulations/${id}`);
  if (regulation === undefined || !isWithin(regulation, scope)) throw notFound(name);
  return shownRegulation(regulation);
}

export async function cancelRegulation(
  env: Env,
  asked: Asked,
  id: string,
  precondition: Precondition = {},
): Promise<void> {
  const { store } = env;
  const { name } = await getRegulation(env, asked, id);
  const check = matching(precondition, refuseBegun, shownRegulation);
  found((await store.remove('regulations', name, check)) || undefined, name);
}

/** Each that can still be cancelled. One that begins meanwhile goes on. */
export async function cancelRegulations(env: Env, asked: Asked): Promise<void> {
  const scope = await requireScope(env.store, asked);
  for (const { resource: one } of await rowsAfter(env.store, 'regulations', workspaceOf(scope))) {
    if (!isWithin(one, scope) || !isUntouched(one)) continue;
    await cancelRegulation(env, asked, one.regulate_id).catch(passRefusal);
  }
}

export async function listSuppressedUsers(
  { store, directory }: Env,
  asked: Asked,
  query: PageQuery,
): Promise<{ suppressed_users: SuppressedUser[]; next_page_token: string }> {
  const collection = `${asked.scope}/suppressed-users`;
  const page = readPage(query, collection);
  const users = directory.suppressed(await requireScope(store, asked));
  const left = [...users.values()].filter(({ sequence }) => sequence > page.after);
  const shown = left.slice(0, page.limit);
  const after = shown.at(-1)?.sequence ?? 0;
  return {
    suppressed_users: shown.map(({ user_id, suppress_time }) => ({ user_id, suppress_time })),
    next_page_token: left.length > shown.length ? pageToken(collection, { after, limit: page.limit }) : '',
  };
}

function requireScope(store: Env['store'], { scope, caller }: Asked): Promise<string> {
  return requireParent(store, scope === workspaceOf(scope) ? 'workspaces' : 'sources', caller, scope);
}

function isWithin({ parent, source_name: source }: StoredRegulation, scope: string): boolean {
  return scope === parent || scope === source;
}

function passRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** What is suppressed in the whole workspace holds in each source: nobody may believe that it was undone in one. */
function refuseVainUnsuppress(
  { parent, regulation_type: type, user_ids: ids }: StoredRegulation,
  everywhere: ReadonlyMap<string, unknown>,
): void {
  const count = type === 'Unsuppress' ? ids.filter((id) => everywhere.has(id)).length : 0;
  if (count === 0) return;
  const wayOut = `unsuppress them with POST /v1beta/${parent}/regulations`;
  throw new ApiError(
    'InvalidArgument',
    `attributes.values: ${count} of ${ids.length} users are suppressed in the whole workspace; ${wayOut}`,
  );
}
