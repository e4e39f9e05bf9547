import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask, listAll } from './operations.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { CallOptions, ListOptions, NewResource, Resource } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PREVIEW = '/v1beta/filters/preview';
const OF_WORKSPACE = '/v1beta/workspaces/{workspace}/filters';
const OWNER = 'client.filters';

/** What a filter makes of one event. */
export type FilterPreview = Answer<typeof PREVIEW, 'post'>;

export interface FilterMethods extends ResourceMethods<'filters'> {
  /** Those of all destinations of a workspace, source by source, oldest first. Kinds: `NotFound`. */
  listAll(workspace: string, options?: ListOptions): AsyncIterable<Resource<'filters'>>;

  /** Tries a filter on an event, which need not be complete; nothing is stored or sent. Kinds: `InvalidArgument`. */
  preview(filter: NewResource<'filters'>, event: object, options?: CallOptions): Promise<FilterPreview>;
}

export function filterMethods(send: Send): FilterMethods {
  return {
    ...resourceMethods('filters', send),
    listAll(workspace, options) {
      const ids = idsOf(`${OWNER}.listAll`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { owner: OWNER, path: OF_WORKSPACE, ids, plural: 'filters', mark: 'name' }, options);
    },
    async preview(filter, event, { signal } = {}) {
      const body = { filter, input: JSON.stringify(event) };
      return ask(send, { method: 'post', path: PREVIEW, ids: {}, body, signal }, 'dropped');
    },
  };
}
