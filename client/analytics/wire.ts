import type { components } from '../../generated/ingestion-api.d.ts';

/** A message as it is sent; the shape is the document's. */
export type Message = components['schemas']['Call'];

export type CallType = NonNullable<Message['type']>;
