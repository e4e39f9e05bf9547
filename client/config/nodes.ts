import type { Send } from './call.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';

const PATH = '/v1beta/nodes';

/** A router that runs. */
export type Node = Answer<typeof PATH>['nodes'][number];

export interface NodeMethods {
  /** All routers that share one storage. Kinds: `PermissionDenied` for a bound token. */
  list(options?: CallOptions): Promise<Node[]>;
}

export function nodeMethods(send: Send): NodeMethods {
  return {
    async list({ signal } = {}) {
      return (await ask(send, { method: 'get', path: PATH, ids: {}, signal }, 'nodes')).nodes;
    },
  };
}
