import { parse, WEBHOOK_TYPES } from '../../client/webhooks/parse.ts';
import type { EventOf, WebhookEvent, WebhookType } from '../../client/webhooks/parse.ts';
import { webhookContract } from './document.ts';

/** The example body of a kind, as the contract's `webhooks` section has it; `changes` take the place of its fields. */
export function exampleOf<T extends WebhookType>(type: T, changes: Partial<EventOf<T>> = {}): EventOf<T> {
  const parsed = parse(JSON.stringify({ ...Object(webhookContract(type).example), ...changes }));
  if (parsed.kind === 'event' && isOf(parsed.event, type)) return parsed.event;
  const why = parsed.kind === 'invalid' ? parsed.problem : `its type is no longer ${type}`;
  throw new TypeError(`With these changes the example of ${type} is no ${type} any more: ${why}`);
}

/** One of each kind, in the order of the contract. */
export function webhookExamples(): readonly WebhookEvent[] {
  return WEBHOOK_TYPES.map((type) => exampleOf(type));
}

export function isOf<T extends WebhookType>(event: WebhookEvent, type: T): event is EventOf<T> {
  return event.type === type;
}
