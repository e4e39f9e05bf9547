import type { components } from '../../generated/config-api.d.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { isUntouched } from '../model/regulation.ts';
import { workspaceOf } from '../model/resource-names.ts';
import { type Regulation, REGULATION_STATUSES, REGULATION_TYPES } from '../model/resources.ts';
import { isSuppressed, type SuppressedUsers } from '../directory/suppressed-users.ts';
import { allRows } from '../storage/config-store.ts';
import { type Caller, turnsOfLists } from './callers.ts';
import { type Precondition, requireMatch } from './entity-tag.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { add, requireParent, requireVisible } from './kit.ts';
import { nameOf } from './names.ts';
import { NewNames } from './new-names.ts';
import { listPage, type PageQuery, pageToken, readPage } from './pages.ts';

type Schemas = components['schemas'];

export function regulationHandlers(env: Env) {
  return { ...ofWorkspaces(env), ...ofSources(env) };
}

function ofWorkspaces(env: Env) {
  return {
    listRegulations: (call) => listRegulations(env, askedBy(call), call.query),
    createRegulation: (call) => createRegulation(env, askedBy(call), call.body),
    getRegulation: (call) => getRegulation(env, askedBy(call), call.path.regulation),
    async deleteRegulation(call) {
      await cancelRegulation(env, askedBy(call), call.path.regulation, call.header);
      return {};
    },
    listSuppressedUsers: (call) => listSuppressedUsers(env, askedBy(call), call.query),
  } satisfies Partial<ConfigHandlers>;
}

function ofSources(env: Env) {
  return {
    listSourceRegulations: (call) => listRegulations(env, askedBy(call), call.query),
    createSourceRegulation: (call) => createRegulation(env, askedBy(call), call.body),
    async cancelSourceRegulations(call) {
      await cancelRegulations(env, askedBy(call));
      return {};
    },
    getSourceRegulation: (call) => getRegulation(env, askedBy(call), call.path.regulation),
    async deleteSourceRegulation(call) {
      await cancelRegulation(env, askedBy(call), call.path.regulation, call.header);
      return {};
    },
    listSourceSuppressedUsers: (call) => listSuppressedUsers(env, askedBy(call), call.query),
  } satisfies Partial<ConfigHandlers>;
}

interface Request {
  readonly path: { readonly workspace: string; readonly source?: string };
  readonly caller: Caller;
}

function askedBy({ path: { workspace, source }, caller }: Request): Asked {
  const scope = source === undefined ? nameOf('workspaces', { workspace }) : nameOf('sources', { workspace, source });
  return { scope, caller };
}

/**
 * Who asks about the regulations of which scope: a workspace or one of its sources, by full name. Those of a source belong
 * to its workspace all the same: they are listed there too, and outlive the source (D-12).
 */
interface Asked {
  readonly scope: string;
  readonly caller: Caller;
}

async function listRegulations(
  { store, turns }: Env,
  asked: Asked,
  query: RegulationQuery,
): Promise<{ regulations: Schemas['Regulation'][]; next_page_token: string }> {
  const isWanted = wantedIn(query);
  const scope = await requireScope(store, asked);
  const isVisible = (one: Regulation): boolean => isWithin(one, scope) && isWanted(one);
  const rows = { kind: 'regulations', parent: workspaceOf(scope), collection: `${scope}/regulations` } as const;
  const { items, next_page_token } = await listPage(store, {
    ...rows,
    query,
    isVisible,
    turns: turnsOfLists(turns, asked.caller),
  });
  return { regulations: items.map(shownRegulation), next_page_token };
}

async function createRegulation(
  { store, clock, newNames, jobs, directory }: Env,
  asked: Asked,
  wanted: Schemas['CreateRegulation'],
): Promise<Schemas['Regulation']> {
  await requireParent(store, asked.caller, workspaceOf(asked.scope));
  const regulation = makeRegulation(wanted, await requireScope(store, asked), clock.now(), newNames);
  if (regulation.source_name !== undefined) refuseVainUnsuppress(regulation, directory.suppressed(regulation.parent));
  await add(store, asked.caller, { kind: 'regulations', resource: regulation });
  jobs.look('regulations');
  return shownRegulation(regulation);
}

/** Its source may be gone by now: whoever waits for a deletion still sees its end. */
async function getRegulation({ store }: Env, { scope, caller }: Asked, id: string): Promise<Schemas['Regulation']> {
  const name = requireVisible(caller, `${scope}/regulations/${id}`);
  const regulation = await store.get('regulations', `${workspaceOf(scope)}/regulations/${id}`);
  if (regulation === undefined || !isWithin(regulation, scope)) throw notFound(name);
  return shownRegulation(regulation);
}

async function cancelRegulation(env: Env, asked: Asked, id: string, precondition: Precondition = {}): Promise<void> {
  const { store } = env;
  const { name } = await getRegulation(env, asked, id);
  const isRemoved = await store.remove('regulations', name, (regulation) => {
    requireMatch(precondition, regulation, shownRegulation);
    refuseBegun(regulation);
  });
  if (!isRemoved) throw notFound(name);
}

/** Each that can still be cancelled. One that begins meanwhile goes on. */
async function cancelRegulations(env: Env, asked: Asked): Promise<void> {
  const scope = await requireScope(env.store, asked);
  for (const { resource: one } of await allRows(env.store, 'regulations', workspaceOf(scope))) {
    if (!isWithin(one, scope) || !isUntouched(one)) continue;
    await cancelRegulation(env, asked, one.regulate_id).catch(passRefusal);
  }
}

async function listSuppressedUsers(
  { store, directory }: Env,
  asked: Asked,
  query: PageQuery,
): Promise<{ suppressed_users: Schemas['SuppressedUser'][]; next_page_token: string }> {
  const collection = `${asked.scope}/suppressed-users`;
  const page = readPage(query, collection);
  const { users = [], last } = directory.suppressed(await requireScope(store, asked))?.page(page) ?? {};
  return {
    suppressed_users: [...users],
    next_page_token: last === undefined ? '' : pageToken(collection, { after: last, limit: page.limit }),
  };
}

function requireScope(store: Env['store'], { scope, caller }: Asked): Promise<string> {
  return requireParent(store, caller, scope);
}

function isWithin({ parent, source_name: source }: Regulation, scope: string): boolean {
  return scope === parent || scope === source;
}

function passRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** What is suppressed in the whole workspace holds in each source: nobody may believe that it was undone in one. */
function refuseVainUnsuppress(
  { parent, regulation_type: type, user_ids: ids }: Regulation,
  everywhere: SuppressedUsers | undefined,
): void {
  const count = type === 'Unsuppress' ? ids.filter((id) => isSuppressed(everywhere, id)).length : 0;
  if (count === 0) return;
  const wayOut = `unsuppress them with POST /v1beta/${parent}/regulations`;
  throw new ApiError(
    'InvalidArgument',
    `attributes.values: ${count} of ${ids.length} users are suppressed in the whole workspace; ${wayOut}`,
  );
}

/** `scope` is the workspace or the source that it is to hold for. Either way it belongs to the workspace. */
export function makeRegulation(
  wanted: Schemas['CreateRegulation'],
  scope: string,
  now: number,
  names = new NewNames(),
): Regulation {
  const regulate_id = names.prefixed('rg');
  const parent = workspaceOf(scope);
  return {
    name: `${parent}/regulations/${regulate_id}`,
    regulate_id,
    parent,
    ...(scope === parent ? {} : { source_name: scope }),
    regulation_type: wanted.regulation_type,
    overall_status: 'INITIALIZED',
    source_status: [],
    create_time: new Date(now).toISOString(),
    user_ids: [...new Set(wanted.attributes.values)],
  };
}

/** Passes one that can still be cancelled. */
function refuseBegun(regulation: Regulation): void {
  if (isUntouched(regulation)) return;
  const { name, overall_status: status } = regulation;
  throw new ApiError('InvalidArgument', `${name} is ${status}: only one that is still INITIALIZED can be cancelled`);
}

/** As it is answered: whose it is stays here. */
function shownRegulation({ user_ids: _ids, known_ids: _known, ...shown }: Regulation): Schemas['Regulation'] {
  return shown;
}

interface RegulationQuery extends PageQuery {
  readonly status?: string;
  /** Several are separated by commas. */
  readonly regulation_types?: string;
}

/** Which regulations a list shows. Names are taken in any case; an unknown one is refused. */
function wantedIn(query: RegulationQuery): (regulation: Regulation) => boolean {
  const statuses = readChoices('status', query.status, REGULATION_STATUSES);
  const types = readChoices('regulation_types', query.regulation_types, REGULATION_TYPES);
  return ({ overall_status: status, regulation_type: type }) =>
    (statuses.length === 0 || statuses.includes(status)) && (types.length === 0 || types.includes(type));
}

function readChoices(field: string, text: string | undefined, choices: readonly string[]): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const choice = choices.find((one) => one.toLowerCase() === part.toLowerCase());
      if (choice !== undefined) return choice;
      throw new ApiError(
        'InvalidArgument',
        `${field} must be of ${choices.join(', ')}, got ${JSON.stringify(part.slice(0, 80))}`,
      );
    });
}
