import type { Send } from './call.ts';
import { type Answer, ask } from './operations.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { CallOptions, NewResource } from './resource-types.ts';

const PREVIEW = '/v1beta/filters/preview';

/** What a filter makes of one event. */
export type FilterPreview = Answer<typeof PREVIEW, 'post'>;

export interface FilterMethods extends ResourceMethods<'filters'> {
  /** Tries a filter on an event, which need not be complete; nothing is stored or sent. Kinds: `InvalidArgument`. */
  preview(filter: NewResource<'filters'>, event: object, options?: CallOptions): Promise<FilterPreview>;
}

export function filterMethods(send: Send): FilterMethods {
  return {
    ...resourceMethods('filters', send),
    async preview(filter, event, { signal } = {}) {
      const body = { filter, input: JSON.stringify(event) };
      return ask(send, { method: 'post', path: PREVIEW, ids: {}, body, signal }, 'dropped');
    },
  };
}
