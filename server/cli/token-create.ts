import { issueToken } from '../resources/access-tokens/resource.ts';
import type { Log } from '../ports/log.ts';
import { DataFolderUnusable, holdsConfiguration, openStores } from '../storage/file/stores.ts';
import { systemClock } from '../system-clock.ts';

/**
 * Adds an access token with write scope for all workspaces to a data folder, and answers its plaintext. Refuses a folder
 * that a router uses: opening its stores takes the lock that routers take.
 */
export async function createToken(folder: string, log: Log): Promise<string> {
  if (!holdsConfiguration(folder)) {
    const way = 'name another folder with --data-dir, or start a router on this one: its first start makes a token';
    throw new DataFolderUnusable(`${folder} holds no data of a router: ${way}`);
  }
  await using opened = new AsyncDisposableStack();
  const { config } = await openStores(folder, log, opened);
  const wanted = { description: 'made by waybill token create', scopes: 'workspace' } as const;
  const { stored, plaintext } = issueToken(wanted, systemClock.now());
  await config.create('access-tokens', stored);
  return plaintext;
}
