import type { Send } from './call.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';

const PATH = '/v1beta/unknown-keys';

/** Events of unknown write keys, by the beginning of the key. */
export type UnknownKeys = Answer<typeof PATH>;

export interface UnknownKeyMethods {
  /** What a router that accepts unknown write keys did not keep. Kinds: `PermissionDenied` for a bound token. */
  get(options?: CallOptions): Promise<UnknownKeys>;
}

export function unknownKeyMethods(send: Send): UnknownKeyMethods {
  return {
    async get({ signal } = {}) {
      return ask(send, { method: 'get', path: PATH, ids: {}, signal }, 'unknown_keys');
    },
  };
}
