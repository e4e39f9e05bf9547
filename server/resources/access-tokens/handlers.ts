import { ApiError } from '../../http/errors.ts';
import type { ConfigStore, StoredToken, Surroundings } from '../../storage/config-store.ts';
import { type Caller, isBound, isMaster, seesToken, seesWorkspace } from '../caller.ts';
import { matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { found, notFound, requireCreated } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { changeToken, EMPTIES, issueToken, shownToken } from './resource.ts';

type Shown = ReturnType<typeof shownToken>;

type AccessTokenHandlers = Pick<
  ConfigHandlers,
  'listAccessTokens' | 'createAccessToken' | 'getAccessToken' | 'updateAccessToken' | 'deleteAccessToken'
>;

export function accessTokenHandlers({ store, clock }: Env): AccessTokenHandlers {
  return {
    async listAccessTokens({ query, caller }) {
      const isVisible = (token: StoredToken): boolean => seesToken(caller, token);
      const request = { kind: 'access-tokens', parent: '', query, isVisible } as const;
      const { items, next_page_token } = await listPage(store, request);
      return { access_tokens: items.map(shownToken), next_page_token };
    },

    async createAccessToken({ body: { access_token: wanted }, caller }) {
      await requireReach(store, caller, wanted.workspace_names ?? []);
      const { stored, plaintext } = issueToken(wanted, clock.now());
      requireCreated(await store.create('access-tokens', stored), 'access-tokens', stored.name);
      return { ...shownToken(stored), token: plaintext };
    },

    async getAccessToken({ path, caller }) {
      const name = `access-tokens/${path.access_token}`;
      return shownToken(visible(caller, found(await store.get('access-tokens', name), name)));
    },

    async updateAccessToken({ path, header, body, caller }) {
      const masks = [body.update_mask, body.access_token?.update_mask];
      const paths = readMask({ key: 'access_token', masks, empties: EMPTIES });
      const name = `access-tokens/${path.access_token}`;
      const change = (current: StoredToken): StoredToken => changeToken(current, body, paths);
      const shown = (token: StoredToken): Shown => shownToken(visible(caller, token));
      return shownToken(found(await store.update('access-tokens', name, matching(header, change, shown)), name));
    },

    async deleteAccessToken({ path, header, caller }) {
      const name = `access-tokens/${path.access_token}`;
      const shown = (token: StoredToken): Shown => shownToken(visible(caller, token));
      const check = matching(header, refuseLastMaster, shown);
      found((await store.remove('access-tokens', name, check)) || undefined, name);
      return {};
    },
  };
}

function refuseLastMaster(token: StoredToken, { siblings }: Surroundings<StoredToken>): void {
  if (!isMaster(token) || siblings.some(isMaster)) return;
  const why = 'without a token that has write scope on all workspaces, nobody could make another';
  throw new ApiError('InvalidArgument', `${token.name} is the last of its kind and stays: ${why}`);
}

function visible(caller: Caller, token: StoredToken): StoredToken {
  if (seesToken(caller, token)) return token;
  throw notFound(token.name);
}

/** A token can only hand out what it has itself. */
async function requireReach(store: ConfigStore, caller: Caller, names: readonly string[]): Promise<void> {
  if (names.length === 0 && isBound(caller)) {
    const wayOut = 'name the workspaces of the new token in access_token.workspace_names';
    throw new ApiError('PermissionDenied', `insufficient scope: this token is bound to workspaces, so ${wayOut}`);
  }
  for (const [index, name] of names.entries()) {
    if (seesWorkspace(caller, name) && (await store.get('workspaces', name)) !== undefined) continue;
    throw new ApiError('InvalidArgument', `access_token.workspace_names[${index}]: ${name} does not exist`);
  }
}
