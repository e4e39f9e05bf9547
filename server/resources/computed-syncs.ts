import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import { isLeftToHeldBack } from '../jobs/due-runs.ts';
import { WAITING_LIMIT } from '../jobs/telling-room.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import type { Caller } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { found, requireVisible } from './kit.ts';
import { nameOf, type PathParameters } from './names.ts';
import { type PageQuery, pageToken, readPage } from './pages.ts';
import { type UndecidedFields, undecidedFields } from './undecided-fields.ts';

type Schemas = components['schemas'];
type Kind = 'audiences' | 'computed-traits';

export function syncHandlers(env: Env) {
  return {
    syncAudience: (call) => start(env, asked('audiences', call)),
    listAudienceSyncs: (call) => list(env, asked('audiences', call), call.query),
    cancelAudienceSync: (call) => cancel(env, asked('audiences', call), call.path.sync),
    syncComputedTrait: (call) => start(env, asked('computed-traits', call)),
    listComputedTraitSyncs: (call) => list(env, asked('computed-traits', call), call.query),
    cancelComputedTraitSync: (call) => cancel(env, asked('computed-traits', call), call.path.sync),
  } satisfies Partial<ConfigHandlers>;
}

export interface Asked {
  readonly kind: Kind;
  readonly name: string;
  readonly caller: Caller;
}

function asked(kind: Kind, { path, caller }: { readonly path: PathParameters; readonly caller: Caller }): Asked {
  return { kind, name: nameOf(kind, path), caller };
}

async function start(env: Env, wanted: Asked): Promise<Schemas['Sync']> {
  const tellings = tellingsOf(env);
  const { name, enabled } = await requireComputed(env, wanted);
  if (!enabled) throw new ApiError('InvalidArgument', `${name} is disabled: enable it first`);
  const sync = await startAsked(tellings, name, env.clock.now());
  env.jobs.look('audiences');
  return syncResource(sync);
}

/** The one that runs, unless it would see nothing of what has come since, and has only users left whom the next tells as well. */
export async function startAsked(
  tellings: Pick<TellingStorage, 'startSync' | 'endSync'>,
  computation: string,
  now: number,
): Promise<Sync> {
  const sync = await tellings.startSync({ computation, now });
  if (!isLeftToHeldBack(sync)) return sync;
  await tellings.endSync({ computation, number: sync.number, state: 'DONE', now });
  return tellings.startSync({ computation, now });
}

async function list(
  env: Env,
  wanted: Asked,
  query: PageQuery,
): Promise<{ syncs: Schemas['Sync'][]; next_page_token: string }> {
  const collection = `${wanted.name}/syncs`;
  // A place is the number of the last sync of the page before.
  const { after, limit } = readPage(query, collection);
  const tellings = tellingsOf(env);
  const { name } = await requireComputed(env, wanted);
  const before = after === 0 ? {} : { before: after };
  const syncs = await tellings.listSyncs({ computations: [name], ...before, limit: limit + 1 });
  const shown = syncs.slice(0, limit);
  const last = syncs.length > shown.length ? shown.at(-1) : undefined;
  const token = last === undefined ? '' : pageToken(collection, { after: last.number, limit });
  const rows = shown.map(async (sync) => ({ ...syncResource(sync), ...(await waitsFor(sync, tellings)) }));
  return { syncs: await Promise.all(rows), next_page_token: token };
}

/** Why one that runs does not come on: it would seem to hang. */
export async function waitsFor(
  { state, computed, cursor }: Sync,
  tellings: Pick<TellingStorage, 'waiting'>,
): Promise<Pick<Schemas['Sync'], 'reason'>> {
  if (state !== 'RUNNING' || computed === undefined) return {};
  for (const destination of cursor.destinations) {
    const waiting = await tellings.waiting({ destination, limit: WAITING_LIMIT });
    if (waiting < WAITING_LIMIT) return {};
  }
  if (cursor.destinations.length === 0) return {};
  const [most, full] = [WAITING_LIMIT.toLocaleString('en-US'), cursor.destinations.join(', ')];
  return { reason: `waits, as ${most} deliveries or more wait for ${full}` };
}

async function cancel(env: Env, wanted: Asked, number: string): Promise<Schemas['Sync']> {
  const tellings = tellingsOf(env);
  const { name } = await requireComputed(env, wanted);
  const sync = { computation: name, number: Number(number), state: 'CANCELLED', now: env.clock.now() } as const;
  return syncResource(found(await tellings.endSync(sync), `${name}/syncs/${number}`));
}

export async function requireComputed({ store }: Pick<Env, 'store'>, { kind, name, caller }: Asked) {
  return found(await store.get(kind, requireVisible(caller, name)), name);
}

function tellingsOf({ tellings }: Env): NonNullable<Env['tellings']> {
  if (tellings === undefined) throw noProfiles();
  return tellings;
}

/** A router without them does not implement what needs them (CFG-19). */
export function noProfiles(): ApiError {
  return new ApiError('Unimplemented', 'this router keeps no profiles');
}

export function syncResource(sync: Sync): Schemas['Sync'] {
  const { computation, number, state, reason, startedAt, endedAt, computed } = sync;
  const { sent, held, delivered, failed, expired, superseded, cursor } = sync;
  return {
    name: `${computation}/syncs/${number}`,
    state,
    ...(reason === undefined ? {} : { reason }),
    start_time: new Date(startedAt).toISOString(),
    ...(endedAt === undefined ? {} : { end_time: new Date(endedAt).toISOString() }),
    ...computed,
    sent,
    held,
    left_out: cursor.leftOut ?? 0,
    delivered,
    failed,
    expired,
    superseded,
  };
}

/** What is known of audiences and computed traits beside what is stored, by their names. */
export async function computedFields(
  names: readonly string[],
  env: Pick<Env, 'directory' | 'tellings' | 'losses'>,
): Promise<ReadonlyMap<string, SyncFields & Partial<UndecidedFields>>> {
  const [syncs, undecided] = await Promise.all([syncFields(names, env), undecidedFields(names, env.losses)]);
  return new Map(names.map((name) => [name, { ...syncs.get(name), ...undecided.get(name) }]));
}

type SyncFields = Partial<Pick<Schemas['Audience'], 'state' | 'state_reason' | 'size' | 'last_sync'>>;

/** What the last syncs of audiences and computed traits say of them, by their names. */
async function syncFields(
  names: readonly string[],
  { directory, tellings }: Pick<Env, 'directory' | 'tellings'>,
): Promise<ReadonlyMap<string, SyncFields>> {
  if (tellings === undefined) return new Map();
  // Of these alone: those of all may be of thousands of workspaces.
  const syncs = Map.groupBy(await tellings.listSyncs({ computations: names, limit: 2 }), (sync) => sync.computation);
  const fields = names.map((name): [string, SyncFields] => {
    const [last, before] = syncs.get(name) ?? [];
    if (last === undefined) return [name, {}];
    // One that is being computed says nothing of the size yet: the one before does.
    const size = (last.computed ?? before?.computed)?.size;
    const isEnabled = directory.computations(parentOf(name)).get(name)?.enabled ?? true;
    const state = isEnabled ? stateAfter(last) : {};
    return [name, { ...state, ...(size === undefined ? {} : { size }), last_sync: syncResource(last) }];
  });
  return new Map(fields);
}

function stateAfter({ state, reason }: Sync): SyncFields {
  switch (state) {
    case 'RUNNING':
      return { state: 'COMPUTING' };
    case 'FAILED':
      return { state: 'FAILED', ...(reason === undefined ? {} : { state_reason: reason }) };
    case 'DONE':
    case 'CANCELLED':
      return { state: 'LIVE' };
  }
}
