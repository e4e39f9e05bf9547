import type { Resources } from '../../storage/config-store.ts';
import { asIs, matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { sourceName, workspaceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { readMask } from '../update-mask.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import { changeSource, checkUpdate, EMPTIES, makeSource, shownSource } from './resource.ts';

type Source = Resources['sources'];

type SourceHandlers = Pick<
  ConfigHandlers,
  'listSources' | 'createSource' | 'getSource' | 'updateSource' | 'deleteSource'
>;

export function sourceHandlers({ store, clock }: Env): SourceHandlers {
  return {
    async listSources({ path, query, caller }) {
      const parent = await requireParent(store, 'workspaces', caller, workspaceName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'sources', parent, query });
      return { sources: items.map(shownSource), next_page_token };
    },

    async createSource({ path, body, caller }) {
      const source = makeSource(body, workspaceName(path), clock.now());
      await requireWorkspaceOf(store, caller, source.name);
      requireCreated(await store.create('sources', source), 'sources', source.name);
      return source;
    },

    async getSource({ path, caller }) {
      const name = requireVisible(caller, sourceName(path));
      return shownSource(found(await store.get('sources', name), name));
    },

    async updateSource({ path, header, body, caller }) {
      const masks = [body.update_mask, body.source?.update_mask];
      const paths = readMask({ key: 'source', masks, empties: EMPTIES });
      checkUpdate(body, paths);
      const name = requireVisible(caller, sourceName(path));
      const change = matching(header, (current: Source) => changeSource(current, body, paths), shownSource);
      return shownSource(found(await store.update('sources', name, change), name));
    },

    async deleteSource({ path, header, caller }) {
      const name = requireVisible(caller, sourceName(path));
      found((await store.remove('sources', name, matching(header, asIs, shownSource))) || undefined, name);
      return {};
    },
  };
}
