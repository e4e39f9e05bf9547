import { ApiError } from '../../http/errors.ts';
import type { StoredRegulation } from '../../model/regulation.ts';
import { isUntouched } from '../../jobs/regulations/regulation.ts';
import type { SuppressedUser } from '../../events/suppressions.ts';
import { matching } from '../entity-tag.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { listPage } from '../list-page.ts';
import { pageToken, readPage } from '../paging.ts';
import { regulationName, workspaceName } from '../resource-name.ts';
import { found, requireCreated } from '../store-answers.ts';
import { requireParent, requireVisible, requireWorkspaceOf } from '../visible.ts';
import { makeRegulation, shownRegulation } from './resource.ts';
import { wantedIn } from './wanted.ts';

type RegulationHandlers = Pick<
  ConfigHandlers,
  'listRegulations' | 'createRegulation' | 'getRegulation' | 'deleteRegulation' | 'listSuppressedUsers'
>;

export function regulationHandlers({ store, clock, regulations: { runner, suppressions } }: Env): RegulationHandlers {
  return {
    async listRegulations({ path, query, caller }) {
      const isVisible = wantedIn(query);
      const parent = await requireParent(store, 'workspaces', caller, workspaceName(path));
      const { items, next_page_token } = await listPage(store, { kind: 'regulations', parent, query, isVisible });
      return { regulations: items.map(shownRegulation), next_page_token };
    },

    async createRegulation({ path, body, caller }) {
      const regulation = makeRegulation(body, workspaceName(path), clock.now());
      await requireWorkspaceOf(store, caller, regulation.name);
      requireCreated(await store.create('regulations', regulation), 'regulations', regulation.name);
      runner.add(regulation.name);
      return shownRegulation(regulation);
    },

    async getRegulation({ path, caller }) {
      const name = requireVisible(caller, regulationName(path));
      return shownRegulation(found(await store.get('regulations', name), name));
    },

    async deleteRegulation({ path, header, caller }) {
      const name = requireVisible(caller, regulationName(path));
      const check = matching(header, refuseBegun, shownRegulation);
      found((await store.remove('regulations', name, check)) || undefined, name);
      suppressions.reread(workspaceName(path));
      return {};
    },

    async listSuppressedUsers({ path, query, caller }) {
      const collection = `${workspaceName(path)}/suppressed-users`;
      const page = readPage(query, collection);
      const parent = await requireParent(store, 'workspaces', caller, workspaceName(path));
      const left = [...(await suppressions.of(parent)).values()].filter(({ sequence }) => sequence > page.after);
      const shown = left.slice(0, page.limit);
      const after = shown.at(-1)?.sequence ?? 0;
      const next_page_token = left.length > shown.length ? pageToken(collection, { after, limit: page.limit }) : '';
      return { suppressed_users: shown.map(shownUser), next_page_token };
    },
  };
}

function shownUser({ user_id, suppress_time }: SuppressedUser): Pick<SuppressedUser, 'user_id' | 'suppress_time'> {
  return { user_id, suppress_time };
}

function refuseBegun(regulation: StoredRegulation): void {
  if (isUntouched(regulation)) return;
  const { name, overall_status: status } = regulation;
  throw new ApiError('InvalidArgument', `${name} is ${status}: only one that is still INITIALIZED can be cancelled`);
}
