import { ApiError } from '../../http/errors.ts';
import type { UnknownKeys } from '../../losses/unknown-keys-port.ts';
import { isBound } from '../caller.ts';
import type { ConfigHandlers } from '../env.ts';
import { milliseconds } from '../times.ts';

interface Ports {
  readonly unknownKeys: Pick<UnknownKeys, 'list' | 'total'>;
  /** When counting began. */
  readonly since: string;
}

export function unknownKeyHandlers({ unknownKeys, since }: Ports): Pick<ConfigHandlers, 'listUnknownKeys'> {
  return {
    listUnknownKeys: ({ caller }) => {
      if (isBound(caller)) {
        const wayOut = 'use a token that is not bound to workspaces';
        throw new ApiError('PermissionDenied', `insufficient scope: unknown keys belong to no workspace: ${wayOut}`);
      }
      const unknown_keys = unknownKeys.list().map(({ prefix, events, firstAt, lastAt }) => ({
        prefix,
        event_count: events,
        first_time: milliseconds(firstAt),
        last_time: milliseconds(lastAt),
      }));
      return { since, event_count: unknownKeys.total(), unknown_keys };
    },
  };
}
