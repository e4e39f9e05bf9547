import type { components } from '../../generated/config-api.d.ts';
import type { AcceptedEvent } from '../events/accepted-events.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';

/** What all routers accepted: enough to see that the events of a source arrive. */
export function acceptedEventHandlers({ store, losses }: Pick<Env, 'store' | 'losses'>) {
  return {
    async listAcceptedEvents({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const { since, count, last } = await losses.accepted(name);
      return { since: new Date(since).toISOString(), count, accepted_events: last.map(acceptedResource) };
    },
  } satisfies Partial<ConfigHandlers>;
}

function acceptedResource({ messageId, receivedAt, ...same }: AcceptedEvent): components['schemas']['AcceptedEvent'] {
  return { ...same, message_id: messageId, receive_time: receivedAt };
}
