import document from '../../generated/config-api.json' with { type: 'json' };
import { WEBHOOK_TYPES, type WebhookType } from '../../client/webhooks/parse.ts';
import { nearest } from '../../server/nearest.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the contract's `webhooks` section says of the body of a kind: the example, and its schema. */
export interface WebhookContract {
  readonly example: unknown;
  readonly schema: Schema;
}

/** Throws for a kind that there is none of: callers in JavaScript, or with a kind that they read somewhere. */
export function webhookContract(type: WebhookType): WebhookContract {
  if (!WEBHOOK_TYPES.includes(type)) throw new TypeError(unknownType(type));
  const { schema, example } = document.webhooks[type].post.requestBody.content['application/json'];
  return { schema: resolve(schema), example };
}

function unknownType(type: unknown): string {
  const guess = nearest(String(type), WEBHOOK_TYPES);
  const wayOut = guess === undefined ? `the types are ${WEBHOOK_TYPES.join(', ')}` : `did you mean ${guess}?`;
  return `There is no webhook of type ${JSON.stringify(type)}; ${wayOut}`;
}

/** A schema, with its reference followed if it is one; what stands beside the reference counts too. */
export function resolve(schema: Schema): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  const schemas: Readonly<Record<string, Schema>> = document.components.schemas;
  const found = schemas[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document names ${reference} and does not hold it`);
  return resolve({ ...found, ...beside });
}
