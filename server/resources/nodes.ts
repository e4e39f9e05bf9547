import type { components } from '../../generated/config-api.d.ts';
import type { Member } from '../storage/members.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';

/** The routers that share the storage: whichever of them is asked, it answers the same. */
export function nodeHandlers({ members }: Pick<Env, 'members'>) {
  return {
    async listNodes({ caller }) {
      requireUnbound(caller, 'routers belong');
      return { nodes: (await members.members()).map(nodeResource) };
    },
  } satisfies Partial<ConfigHandlers>;
}

function nodeResource({ name, version, epoch, startedAt, lastBeatAt, held }: Member): components['schemas']['Node'] {
  const [start, last] = [new Date(startedAt), new Date(lastBeatAt)];
  return {
    name: `nodes/${name}`,
    version,
    epoch,
    start_time: start.toISOString(),
    last_heard_time: last.toISOString(),
    delivery_count: held,
  };
}
