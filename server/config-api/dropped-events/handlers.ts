import type { components } from '../../../generated/config-api.d.ts';
import type { Drop, DroppedEvents } from '../../ports/dropped-events.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { sourceName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { requireVisible } from '../visible.ts';

interface Ports extends Pick<Env, 'store'> {
  readonly dropped: DroppedEvents;
}

export function droppedEventHandlers({ store, dropped }: Ports): Pick<ConfigHandlers, 'listDroppedEvents'> {
  return {
    async listDroppedEvents({ path, caller }) {
      const name = requireVisible(caller, sourceName(path));
      found(await store.get('sources', name), name);
      const counts = [...dropped.of(name)].map(([reason, count]) => ({ reason, count }));
      return { counts, dropped_events: dropped.lastOf(name).map(toResource) };
    },
  };
}

function toResource({ reason, receivedAt, messageId, ...sent }: Drop): components['schemas']['DroppedEvent'] {
  return { reason, receive_time: receivedAt, ...sent, ...(messageId === undefined ? {} : { message_id: messageId }) };
}
