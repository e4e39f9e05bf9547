import type { components } from '../../generated/config-api.d.ts';
import {
  type AdjustReason,
  type BlockReason,
  type Drop,
  type DropReason,
  kindOfLoss,
} from '../losses/dropped-events.ts';
import type { UnknownKey } from '../losses/unknown-keys.ts';
import type { Violation } from '../losses/violations.ts';
import { slugOf } from '../model/resource-names.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';

type Schemas = components['schemas'];

/** What ingestion did not let through as it came. */
export function lossHandlers({ store, losses }: Pick<Env, 'store' | 'losses'>) {
  return {
    async listDroppedEvents({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const found = await losses.dropped(name);
      const counts = [...found.counts].map(([reason, count]) => ({ reason, count }));
      const last = found.last.map(dropResource);
      return {
        since: shownTime(found.since),
        counts: counts.filter(isDropped),
        dropped_events: last.filter(isDropped),
        blocked_counts: counts.filter(isBlocked),
        blocked_events: last.filter(isBlocked),
        adjusted_counts: counts.filter(isAdjusted),
        adjusted_events: last.filter(isAdjusted),
      };
    },

    async listViolations({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const { since, counts, last } = await losses.violations(name);
      return { since: shownTime(since), counts: [...counts], violations: last.map(violationResource) };
    },

    async listUnknownKeys({ caller }) {
      requireUnbound(caller, 'unknown keys belong');
      const { since, total, keys } = await losses.unknownKeys();
      return { since: shownTime(since), event_count: total, unknown_keys: keys.map(unknownKeyResource) };
    },
  } satisfies Partial<ConfigHandlers>;
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

function dropResource({ reason, receivedAt, messageId, ...sent }: Drop) {
  return { reason, receive_time: receivedAt, ...sent, ...(messageId === undefined ? {} : { message_id: messageId }) };
}

function violationResource({ plan, messageId, receivedAt, ...same }: Violation): Schemas['Violation'] {
  return { ...same, tracking_plan_id: slugOf(plan), message_id: messageId, receive_time: receivedAt };
}

function unknownKeyResource({ prefix, events, firstAt, lastAt }: UnknownKey): Schemas['UnknownKey'] {
  return { prefix, event_count: events, first_time: shownTime(firstAt), last_time: shownTime(lastAt) };
}

function shownTime(at: number): string {
  return new Date(at).toISOString();
}
