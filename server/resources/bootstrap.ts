import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { issueToken } from './access-tokens.ts';
import { hashToken } from './callers.ts';
import type { NewNames } from './new-names.ts';
import { makeWorkspace } from './workspaces.ts';

export interface BootstrapOptions {
  readonly store: ConfigStore;
  readonly clock: Clock;
  /** Drawn so that nobody can guess them where it is absent. */
  readonly newNames?: NewNames;
  /** The plaintext that the first token shall have; one is made when there is none. */
  readonly token?: string | undefined;
  /** Slug of the first workspace. */
  readonly workspace: string;
}

/** What became of the token that a start was given, or was not. */
export type StartToken =
  /** The store was empty: one was made here, and has to be shown once. */
  | { readonly kind: 'made'; readonly plaintext: string }
  /** The store was empty: the given one is its first. */
  | { readonly kind: 'stored' }
  /** The store has tokens, and the given one is among them, or none was given. */
  | { readonly kind: 'known' }
  /** The store has tokens, and the given one is not among them: it opens nothing. */
  | { readonly kind: 'ignored' };

/**
 * Gives an empty store its first workspace, and its first token: write scope, all workspaces. A store that has a token is
 * left alone. The token comes last, so that a start which was cut short is made up for by the next.
 */
export async function bootstrap({ store, clock, newNames, token, workspace }: BootstrapOptions): Promise<StartToken> {
  const tokens = await store.list('access-tokens', '', { after: 0, limit: 1 });
  if (tokens.length > 0) return tokenOf(store, token);
  if (token !== undefined && !/^[\u0021-\u007e]+$/.test(token)) {
    throw new Error('the first access token must be printable ASCII without spaces, or it cannot stand in a header');
  }
  // Of routers that start together, the storage lets one be first with each (D-65).
  await store.create('workspaces', makeWorkspace({ name: `workspaces/${workspace}` }, clock.now(), newNames), 1);
  const first = { description: 'the first token', scopes: 'workspace' } as const;
  const { stored, plaintext } = issueToken(first, clock.now(), newNames, token);
  if ((await store.create('access-tokens', stored, 1)) !== 'created') return tokenOf(store, token);
  return token === undefined ? { kind: 'made', plaintext } : { kind: 'stored' };
}

async function tokenOf(store: ConfigStore, token: string | undefined): Promise<StartToken> {
  const isKnown = token === undefined || (await store.tokenByHash(hashToken(token))) !== undefined;
  return { kind: isKnown ? 'known' : 'ignored' };
}
