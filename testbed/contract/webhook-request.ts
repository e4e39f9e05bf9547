import type { SignatureSetting } from '../../server/delivery/signatures.ts';
import { bytesOf, requestTo } from '../../server/delivery/webhook-request.ts';
import type { WebhookEvent } from '../../client/webhooks/parse.ts';
import { checkSecret } from '../schemes/secret.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { WAYBILL } from '../schemes/waybill.ts';

export interface WebhookRequestOptions {
  /** The destination's `sharedSecret`; without it the request is not signed. */
  readonly secret?: string;
  /** The destination's `signature`; default `x-signature`. */
  readonly signature?: SignatureSetting;
  /** The secret before `secret`, as during a rotation: the request is signed for both. */
  readonly previousSecret?: string;
  /** When the request is made, in milliseconds since 1970; default now. */
  readonly at?: number;
  /** Static headers of the webhook. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the router would send: `fetch(url, webhookRequest(event, { secret }))`. */
export interface WebhookRequest {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const OF_REQUEST = [
  'secret',
  'signature',
  'previousSecret',
  'at',
  'headers',
] as const satisfies readonly (keyof WebhookRequestOptions)[];

/** The request of production for a body: written and signed by the delivery engine itself, and sent by nobody. */
export function webhookRequest(event: WebhookEvent, options: WebhookRequestOptions = {}): WebhookRequest {
  refuseUnknown('webhookRequest', options, OF_REQUEST);
  refuseUndefined('', options, ['secret', 'signature', 'previousSecret']);
  const { secret = '', signature = 'x-signature', previousSecret, headers: given = {}, at = Date.now() } = options;
  if (options.secret !== undefined)
    checkSecret('The option secret', secret, WAYBILL, 'sign', 'leave it out for a request without a signature');
  const bytes = bytesOf(event);
  const previous = previousSecret === undefined ? undefined : { secret: previousSecret, until: Infinity };
  const target = { webhooks: [], sharedSecret: secret, signature, previous };
  const unsigned = { messageId: event.messageId ?? '', at, body: bytes };
  const { headers } = requestTo({ url: '', headers: given }, target, unsigned, 0);
  return { method: 'POST', headers, body: new Uint8Array(bytes) };
}
