import { bytesOf, requestTo } from '../../server/delivery/webhook-request.ts';
import type { WebhookEvent } from '../../client/webhooks/parse.ts';

export interface WebhookRequestOptions {
  /** The destination's `sharedSecret`; without it the request is not signed. */
  readonly secret?: string;
  /** Static headers of the webhook. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the router would send: `fetch(url, webhookRequest(event, { secret }))`. */
export interface WebhookRequest {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The request of production for a body: written and signed by the delivery engine itself, and sent by nobody. */
export function webhookRequest(event: WebhookEvent, options: WebhookRequestOptions = {}): WebhookRequest {
  const { secret = '', headers: given = {} } = options;
  const bytes = bytesOf(event);
  const { headers } = requestTo({ url: '', headers: given }, { webhooks: [], sharedSecret: secret }, bytes, 0);
  return { method: 'POST', headers, body: new Uint8Array(bytes) };
}
