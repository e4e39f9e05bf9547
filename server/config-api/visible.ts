import type { ConfigStore } from '../ports/config-store.ts';
import { type Caller, seesWorkspace } from './caller.ts';
import { found, notFound } from './store-answers.ts';

/** Passes the name; a workspace that the token may not see is a 404, as if it were not there (D-8). */
export function requireVisible(caller: Caller, name: string): string {
  const [collection, slug] = name.split('/');
  if (seesWorkspace(caller, `${collection}/${slug}`)) return name;
  throw notFound(name);
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
