import type { Resources } from '../../model/resources.ts';
import { allRows, type ConfigStore } from '../../storage/config-store.ts';

/** The source that has this write key, in whatever workspace. */
export async function sourceOfKey(
  store: Pick<ConfigStore, 'list'>,
  key: string,
): Promise<Resources['sources'] | undefined> {
  for (const { resource: workspace } of await allRows(store, 'workspaces', '')) {
    const sources = await allRows(store, 'sources', workspace.name);
    const owner = sources.find(({ resource }) => resource.write_keys.includes(key));
    if (owner !== undefined) return owner.resource;
  }
  return undefined;
}
