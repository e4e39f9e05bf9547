import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import { issueToken } from './access-tokens/resource.ts';
import { makeWorkspace } from './workspaces/resource.ts';

export interface BootstrapOptions {
  readonly store: ConfigStore;
  readonly clock: Clock;
  /** The plaintext that the first token shall have; one is made when there is none. */
  readonly token?: string | undefined;
  /** Slug of the first workspace. */
  readonly workspace: string;
}

export interface FirstToken {
  readonly token: string;
  /** True when it was made here, and so has to be shown once. */
  readonly made: boolean;
}

/**
 * Gives an empty store its first workspace, and its first token: write scope, all workspaces. Undefined when there is a
 * token already. The token comes last, so that a start which was cut short is made up for by the next.
 */
export async function bootstrap({ store, clock, token, workspace }: BootstrapOptions): Promise<FirstToken | undefined> {
  const tokens = await store.list('access-tokens', '', { after: 0, limit: 1 });
  if (tokens.length > 0) return undefined;
  if (token !== undefined && !/^[\u0021-\u007e]+$/.test(token)) {
    throw new Error('the first access token must be printable ASCII without spaces, or it cannot stand in a header');
  }
  const first = makeWorkspace({ workspace: { name: `workspaces/${workspace}` } }, clock.now());
  if ((await store.list('workspaces', '', { after: 0, limit: 1 })).length === 0)
    await store.create('workspaces', first);
  const { stored, plaintext } = issueToken({ description: 'the first token', scopes: 'workspace' }, clock.now(), token);
  await store.create('access-tokens', stored);
  return { token: plaintext, made: token === undefined };
}
