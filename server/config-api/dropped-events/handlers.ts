import {
  BLOCK_REASONS,
  type BlockReason,
  type Drop,
  type DroppedEvents,
  type DropReason,
} from '../../ports/dropped-events.ts';
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
      const last = dropped.lastOf(name).map(toResource);
      return {
        counts: counts.filter(isDropped),
        dropped_events: last.filter(isDropped),
        blocked_counts: counts.filter(isBlocked),
        blocked_events: last.filter(isBlocked),
      };
    },
  };
}

/** They are told apart, because the reasons of dropped events were released as a closed list (CFG-23). */
function isBlocked<Loss extends Pick<Drop, 'reason'>>(loss: Loss): loss is Loss & { reason: BlockReason } {
  return BLOCK_REASONS.some((reason) => reason === loss.reason);
}

function isDropped<Loss extends Pick<Drop, 'reason'>>(loss: Loss): loss is Loss & { reason: DropReason } {
  return !isBlocked(loss);
}

function toResource({ reason, receivedAt, messageId, ...sent }: Drop) {
  return { reason, receive_time: receivedAt, ...sent, ...(messageId === undefined ? {} : { message_id: messageId }) };
}
