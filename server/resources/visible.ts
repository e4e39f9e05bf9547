import { workspaceOf } from '../model/resources.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { type Caller, seesWorkspace } from './caller.ts';
import { found, notFound } from './store-answers.ts';

/** Passes the name; a workspace that the token may not see is a 404, as if it were not there (D-8). */
export function requireVisible(caller: Caller, name: string): string {
  const [collection, slug] = name.split('/');
  if (seesWorkspace(caller, `${collection}/${slug}`)) return name;
  throw notFound(name);
}

/**
 * For creates: the workspace has to be there, and is what is named where it is not, whether it is missing or may not be
 * seen.
 */
export async function requireWorkspaceOf(store: ConfigStore, caller: Caller, name: string): Promise<void> {
  const workspace = workspaceOf(name);
  found(await store.get('workspaces', requireVisible(caller, workspace)), workspace);
}

/** For lists: an empty page would hide that there is no such parent (CFG-15). */
export async function requireParent(
  store: ConfigStore,
  kind: 'workspaces' | 'sources' | 'destinations',
  caller: Caller,
  name: string,
): Promise<string> {
  found(await store.get(kind, requireVisible(caller, name)), name);
  return name;
}
