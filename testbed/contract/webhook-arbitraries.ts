import fc from 'fast-check';
import { parse, WEBHOOK_TYPES } from '../../client/webhooks/parse.ts';
import type { EventOf, WebhookEvent, WebhookType } from '../../client/webhooks/parse.ts';
import { resolve, webhookContract } from './document.ts';
import { isOf } from './webhook-examples.ts';
import { valuesOf, YEARS } from './schema-arbitrary.ts';

const { pattern: TIMESTAMP } = resolve({ $ref: '#/components/schemas/Timestamp' });

/** Times that exist; the pattern of the contract takes a 35th of month 19 as well. */
const PATTERNS = new Map([
  [String(TIMESTAMP), fc.date({ ...YEARS, noInvalidDate: true }).map((date) => date.toISOString())],
]);

/**
 * Any body of a kind that the contract allows, drawn from the schema in its `webhooks` section: every optional field
 * there or missing, any JSON where the schema leaves it free.
 */
export function anyEventOf<T extends WebhookType>(type: T): fc.Arbitrary<EventOf<T>> {
  const { schema } = webhookContract(type);
  return valuesOf(schema, { resolve, texts: [], patterns: PATTERNS }).map((value) => checked(type, value));
}

/** Any body of any kind. */
export function anyEvent(): fc.Arbitrary<WebhookEvent> {
  return fc.oneof(...WEBHOOK_TYPES.map((type) => anyEventOf(type)));
}

/** What a receiver will read, as JSON has neither -0 nor undefined; the generated validators have the last word. */
function checked<T extends WebhookType>(type: T, value: unknown): EventOf<T> {
  const parsed = parse(JSON.stringify(value));
  if (parsed.kind === 'event' && isOf(parsed.event, type)) return parsed.event;
  throw new Error(`the contract's schema of ${type} and its validator disagree about ${JSON.stringify(value)}`);
}
