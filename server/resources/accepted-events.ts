import type { components } from '../../generated/config-api.d.ts';
import type { AcceptedEvent } from '../losses/accepted-events.ts';
import { acceptedTypeOf } from '../losses/accepted-hours.ts';
import { CALL_TYPES } from '../model/message.ts';
import type { HourlyCount } from '../model/logged-delivery.ts';
import { deliveriesOf } from './deliveries.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { readRange } from './metrics.ts';
import { nameOf } from './names.ts';

const TYPES = [...CALL_TYPES, 'delete'] as const;

/** What all routers accepted: enough to see that the events of a source arrive. */
export function acceptedEventHandlers(env: Env) {
  const { store, losses, clock } = env;
  return {
    async listAcceptedEvents({ path, caller }) {
      const name = await requireParent(store, caller, nameOf('sources', path));
      const { since, count, last } = await losses.accepted(name);
      return { since: new Date(since).toISOString(), count, accepted_events: last.map(acceptedResource) };
    },

    async countAcceptedEvents({ path, query, caller }) {
      const range = readRange(query, clock.now());
      const name = await requireParent(store, caller, nameOf('sources', path));
      const counts = await deliveriesOf(env).log.counts({ destination: name, ...range });
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        counts: counts.flatMap(acceptedCount),
      };
    },
  } satisfies Partial<ConfigHandlers>;
}

function acceptedCount({ hour, what, count }: HourlyCount): components['schemas']['AcceptedCount'][] {
  const type = TYPES.find((one) => one === acceptedTypeOf(what));
  return type === undefined ? [] : [{ time: new Date(hour).toISOString(), type, count }];
}

function acceptedResource({ messageId, receivedAt, ...same }: AcceptedEvent): components['schemas']['AcceptedEvent'] {
  return { ...same, message_id: messageId, receive_time: receivedAt };
}
