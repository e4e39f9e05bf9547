import type { components } from '../../../generated/config-api.d.ts';
import type { StoredToken } from '../../storage/config-store.ts';
import { hashToken } from '../authenticate.ts';
import { newTokenId, newTokenPlaintext } from '../identifiers.ts';
import { seconds } from '../times.ts';
import { applyMask, type EmptyValues } from '../update-mask.ts';

type Schemas = components['schemas'];
type NewToken = Schemas['CreateAccessToken']['access_token'];

export const EMPTIES: EmptyValues = { description: '' };

export interface IssuedToken {
  readonly stored: StoredToken;
  /** To be handed out once, and kept nowhere. */
  readonly plaintext: string;
}

export function issueToken(wanted: NewToken, now: number, plaintext = newTokenPlaintext()): IssuedToken {
  const stored: StoredToken = {
    name: `access-tokens/${newTokenId()}`,
    description: wanted.description,
    scopes: wanted.scopes,
    workspace_names: wanted.workspace_names ?? [],
    create_time: seconds(now),
    hash: hashToken(plaintext),
  };
  return { stored, plaintext };
}

export function changeToken(
  current: StoredToken,
  { access_token: token = {} }: Schemas['UpdateAccessToken'],
  paths: readonly string[],
): StoredToken {
  return applyMask(current, { values: token, paths, empties: EMPTIES });
}

/** As it is answered: the hash stays here. */
export function shownToken(token: StoredToken): Schemas['AccessToken'] {
  const { hash: _hash, ...shown } = token;
  return shown;
}
