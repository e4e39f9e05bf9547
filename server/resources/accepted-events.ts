import type { components } from '../../generated/config-api.d.ts';
import type { AcceptedEvent } from '../events/accepted-events.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';

/** What this router accepted since it started: enough to see that the events of a source arrive. */
export function acceptedEventHandlers({ store, clock, accepted }: Pick<Env, 'store' | 'clock' | 'accepted'>) {
  const since = new Date(clock.now()).toISOString();
  return {
    async listAcceptedEvents({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      return { since, count: accepted.countOf(name), accepted_events: accepted.lastOf(name).map(acceptedResource) };
    },
  } satisfies Partial<ConfigHandlers>;
}

function acceptedResource({ messageId, receivedAt, ...same }: AcceptedEvent): components['schemas']['AcceptedEvent'] {
  return { ...same, message_id: messageId, receive_time: receivedAt };
}
