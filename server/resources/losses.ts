import type { components } from '../../generated/config-api.d.ts';
import {
  type AdjustReason,
  type BlockReason,
  type Drop,
  type DroppedEvents,
  type DropReason,
  kindOfLoss,
} from '../losses/dropped-events.ts';
import type { UnknownKey, UnknownKeys } from '../losses/unknown-keys.ts';
import type { Violation, Violations } from '../losses/violations.ts';
import { slugOf } from '../model/resources.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';

type Schemas = components['schemas'];

export interface Losses {
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly unknownKeys: Pick<UnknownKeys, 'list' | 'total'>;
}

/** What ingestion did not let through as it came. All of it is counted in memory, so it begins with the process. */
export function lossHandlers({
  store,
  clock,
  dropped,
  violations,
  unknownKeys,
}: Pick<Env, 'store' | 'clock'> & Losses) {
  const since = new Date(clock.now()).toISOString();
  return {
    async listDroppedEvents({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const counts = [...dropped.of(name)].map(([reason, count]) => ({ reason, count }));
      const last = dropped.lastOf(name).map(dropResource);
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

    async listViolations({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const last = violations.lastOf(name).map(violationResource);
      return { since, counts: [...violations.countsOf(name)], violations: last };
    },

    listUnknownKeys: ({ caller }) => {
      requireUnbound(caller, 'unknown keys belong');
      const unknown_keys = unknownKeys.list().map(unknownKeyResource);
      return { since, event_count: unknownKeys.total(), unknown_keys };
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
  const [first, last] = [new Date(firstAt), new Date(lastAt)];
  return { prefix, event_count: events, first_time: first.toISOString(), last_time: last.toISOString() };
}
