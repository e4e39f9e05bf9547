import document from '../../generated/config-api.json' with { type: 'json' };
import type { WebhookType } from '../../client/webhooks/parse.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What the contract's `webhooks` section says of the body of a kind: the example, and its schema. */
export interface WebhookContract {
  readonly example: unknown;
  readonly schema: Schema;
}

export function webhookContract(type: WebhookType): WebhookContract {
  const { schema, example } = document.webhooks[type].post.requestBody.content['application/json'];
  return { schema: resolve(schema), example };
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
