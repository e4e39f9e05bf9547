import {
  type AdjustReason,
  type BlockReason,
  type Drop,
  type DroppedEvents,
  type DropReason,
  kindOfLoss,
} from '../../losses/dropped-events-port.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { sourceName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { requireVisible } from '../visible.ts';

interface Ports extends Pick<Env, 'store'> {
  readonly dropped: DroppedEvents;
  /** When counting began. */
  readonly since: string;
}

export function droppedEventHandlers({ store, dropped, since }: Ports): Pick<ConfigHandlers, 'listDroppedEvents'> {
  return {
    async listDroppedEvents({ path, caller }) {
      const name = requireVisible(caller, sourceName(path));
      found(await store.get('sources', name), name);
      const counts = [...dropped.of(name)].map(([reason, count]) => ({ reason, count }));
      const last = dropped.lastOf(name).map(toResource);
      return {
        since,
        counts: counts.filter(isDropped),
        dropped_events: last.filter(isDropped),
        blocked_counts: counts.filter(isBlocked),
        blocked_events: last.filter(isBlocked),
        adjusted_counts: counts.filter(isAdjusted),
        adjusted_events: last.filter(isAdjusted),
      };
    },
  };
}

type Reasoned = Pick<Drop, 'reason'>;

/** They are told apart, because the reasons of dropped events were released as a closed list (CFG-23). */
function isBlocked<Loss extends Reasoned>(loss: Loss): loss is Loss & { reason: BlockReason } {
  return kindOfLoss(loss.reason) === 'blocked';
}

function isAdjusted<Loss extends Reasoned>(loss: Loss): loss is Loss & { reason: AdjustReason } {
  return kindOfLoss(loss.reason) === 'adjusted';
}

function isDropped<Loss extends Reasoned>(loss: Loss): loss is Loss & { reason: DropReason } {
  return kindOfLoss(loss.reason) === 'dropped';
}

function toResource({ reason, receivedAt, messageId, ...sent }: Drop) {
  return { reason, receive_time: receivedAt, ...sent, ...(messageId === undefined ? {} : { message_id: messageId }) };
}
