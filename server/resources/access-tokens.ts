import type { components } from '../../generated/config-api.d.ts';
import { ApiError } from '../http/errors.ts';
import { collectionOf, workspaceOf } from '../model/resource-names.ts';
import type { AccessToken } from '../model/resources.ts';
import type { Log } from '../ports/log.ts';
import type { ConfigStore, Home, Surroundings } from '../storage/config-store.ts';
import {
  type Caller,
  hashLimitedToken,
  hashToken,
  isBound,
  isLimited,
  isMaster,
  sees,
  seesToken,
  seesWorkspace,
} from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { shownOnce } from './kept.ts';
import { add, methodsOf, seconds } from './kit.ts';
import { NewNames } from './new-names.ts';

type Schemas = components['schemas'];
type NewToken = Schemas['CreateAccessToken']['access_token'];

export function accessTokenHandlers({ store, clock, newNames, turns }: Env) {
  const { list, get, update, remove } = methodsOf(store, {
    kind: 'access-tokens',
    key: 'access_token',
    plural: 'access_tokens',
    turns,
    empties: { description: '' },
    isVisible: seesToken,
    make: (wanted: NewToken) => issueToken(wanted, clock.now(), newNames).stored,
    show: shownOnce(shownToken),
    refuseRemoval: refuseLastMaster,
  });
  return {
    listAccessTokens: list,
    // So that a client learns what its own token may do.
    getAccessToken: async (call) => (call.path.access_token === 'self' ? shownToken(call.caller.token) : get(call)),
    updateAccessToken: update,
    deleteAccessToken: remove,
    // The plaintext is shown here, and never again.
    async createAccessToken({ body: { access_token: wanted }, caller }) {
      if (wanted.resource_names === undefined) await requireReach(store, caller, wanted.workspace_names ?? []);
      else await requireResources(store, caller, wanted.resource_names);
      const { stored, plaintext } = issueToken(wanted, clock.now(), newNames);
      const fit = isBound(caller) ? requireRoom : undefined;
      await add(store, caller, { kind: 'access-tokens', resource: stored, fit });
      return { ...shownToken(stored), token: plaintext };
    },
  } satisfies Partial<ConfigHandlers>;
}

export interface IssuedToken {
  readonly stored: AccessToken;
  /** To be handed out once, and kept nowhere. */
  readonly plaintext: string;
}

export function issueToken(
  wanted: NewToken,
  now: number,
  names = new NewNames(),
  plaintext = names.tokenPlaintext(),
): IssuedToken {
  const { description, scopes, workspace_names = [], resource_names: limits } = wanted;
  const stored: AccessToken = {
    name: `access-tokens/${names.tokenId()}`,
    description,
    scopes,
    workspace_names: [...new Set(limits?.map(workspaceOf) ?? workspace_names)],
    ...(limits !== undefined && { resource_names: [...new Set(limits)] }),
    create_time: seconds(now),
    hash: limits === undefined ? hashToken(plaintext) : hashLimitedToken(plaintext),
  };
  return { stored, plaintext };
}

export type ShownToken = Schemas['AccessToken'];

/** The hash stays here. */
export function shownToken({ hash: _hash, ...shown }: AccessToken): ShownToken {
  return shown;
}

function refuseLastMaster(token: AccessToken, { siblings }: Surroundings<AccessToken>): void {
  if (!isMaster(token) || siblings().some(isMaster)) return;
  const why = 'without a token with write scope on all workspaces, no other could be created';
  throw new ApiError('InvalidArgument', `${token.name} is the last of its kind: ${why}`);
}

/** Characters of JSON in the tokens of one workspace: what belongs to none is shared by all, and none may fill it. */
const TOKENS_LENGTH = 8_000_000;

function requireRoom(token: AccessToken, { lengthOfTokens }: Home): AccessToken {
  for (const workspace of token.workspace_names) {
    if (lengthOfTokens(workspace) < TOKENS_LENGTH) continue;
    throw new ApiError('InvalidArgument', `${workspace} has as many access tokens as it may: delete one first`);
  }
  return token;
}

/** One that is limited hands out nothing: whoever has it would outlive it. */
function refuseLimited(caller: Caller): void {
  if (!isLimited(caller)) return;
  throw new ApiError('PermissionDenied', 'insufficient scope: this token is limited to resources, and makes no others');
}

async function requireResources(store: ConfigStore, caller: Caller, names: readonly string[]): Promise<void> {
  refuseLimited(caller);
  for (const [index, name] of names.entries()) {
    const kind = collectionOf(name) === 'destinations' ? 'destinations' : 'sources';
    if (sees(caller, name) && (await store.get(kind, name)) !== undefined) continue;
    throw new ApiError('InvalidArgument', `access_token.resource_names[${index}]: ${name} does not exist`);
  }
}

/** A token can only hand out what it has itself. */
async function requireReach(store: ConfigStore, caller: Caller, names: readonly string[]): Promise<void> {
  refuseLimited(caller);
  if (names.length === 0 && isBound(caller)) {
    const wayOut = 'name the workspaces of the new token in access_token.workspace_names';
    throw new ApiError('PermissionDenied', `insufficient scope: this token is bound to workspaces, so ${wayOut}`);
  }
  for (const [index, name] of names.entries()) {
    if (seesWorkspace(caller, name) && (await store.get('workspaces', name)) !== undefined) continue;
    throw new ApiError('InvalidArgument', `access_token.workspace_names[${index}]: ${name} does not exist`);
  }
}

/** Resolution of `last_used_time`, and the minimum interval between writes. */
const LAST_USE_MS = 60_000;

/** Tokens that are remembered: what is forgotten is known by what is stored. */
const MAX_NOTED = 10_000;

/** Remembers when tokens were last used. Told of each use; writes behind the request's back. */
export function createLastUse({ store, clock }: Pick<Env, 'store' | 'clock'>, log: Log): (token: AccessToken) => void {
  const noted = new Map<string, number>();
  return ({ name, last_used_time: stored = '' }) => {
    const now = clock.steady();
    if (now - (noted.get(name) ?? -Infinity) < LAST_USE_MS) return;
    // Another router has noted it: each minute one of them writes, however many there are.
    if (Math.abs(clock.now() - Date.parse(stored)) < LAST_USE_MS) return;
    if (noted.size >= MAX_NOTED) noted.clear();
    noted.set(name, now);
    const change = (token: AccessToken): AccessToken => ({ ...token, last_used_time: seconds(clock.now()) });
    store.update('access-tokens', name, change).then(
      (token) => token === undefined && noted.delete(name),
      (error: unknown) => log.debug({ token: name, reason: String(error) }, 'the last use of a token was not stored'),
    );
  };
}
