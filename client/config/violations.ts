import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const PATH = '/v1beta/workspaces/{workspace}/sources/{source}/violations';

/** Counts by event and kind, and the last hundred, newest first (D-46). */
export type Violations = Answer<typeof PATH>;

export interface ViolationMethods {
  /** How the events of a source differ from its tracking plan. Kinds: `NotFound`. */
  get(source: string, options?: CallOptions): Promise<Violations>;
}

export function violationMethods(send: Send): ViolationMethods {
  return {
    async get(source, { signal } = {}) {
      const ids = idsOf('client.violations.get', RESOURCES.sources.item, source);
      return ask(send, { method: 'get', path: PATH, ids, signal }, 'counts');
    },
  };
}
