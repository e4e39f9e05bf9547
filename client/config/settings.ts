import type { Send } from './call.ts';
import { type Answer, ask } from './operations.ts';
import type { CallOptions } from './resource-types.ts';

const PATH = '/v1beta/settings';

/** The settings of one router. */
export type RouterSettings = Answer<typeof PATH>;

/** A setting in force, without a value where that is secret. */
export type Setting = RouterSettings['settings'][number];

export interface SettingMethods {
  /** Those of the router that answers. Kinds: `PermissionDenied` for a bound token. */
  get(options?: CallOptions): Promise<RouterSettings>;
}

export function settingMethods(send: Send): SettingMethods {
  return {
    get: ({ signal } = {}) => ask(send, { method: 'get', path: PATH, ids: {}, signal }, 'settings'),
  };
}
