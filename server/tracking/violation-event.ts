import { createHash } from 'node:crypto';
import type { Event } from '../model/message.ts';
import { slugOf } from '../model/resource-names.ts';
import type { Violation } from '../losses/violations.ts';

/**
 * A violation as an event of the source that violations are forwarded to. The same violation of the same event has the
 * same messageId, so that a request that is sent again tells it once.
 */
export function violationEvent(violation: Violation, source: string, planName: string): Event {
  const { kind, action, rule, field, message, plan, type, event, messageId, receivedAt } = violation;
  return {
    type: 'track',
    messageId: `violation-${digestOf([source, messageId, kind, rule, field, message])}`,
    userId: 'schema-violations',
    event: 'Violation Generated',
    properties: {
      sourceName: source,
      sourceSlug: slugOf(source),
      trackingPlanID: slugOf(plan),
      trackingPlanName: planName,
      eventMessageID: messageId,
      eventType: type,
      ...(event === undefined ? {} : { eventName: event }),
      violationType: kind,
      ...(field === undefined ? {} : { violationField: field }),
      ...(rule === undefined ? {} : { violationRule: rule }),
      violationDescription: message,
      violationAction: action,
    },
    context: {},
    timestamp: receivedAt,
    receivedAt,
  };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
