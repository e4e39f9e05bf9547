import type { PostRequest } from '../ports/transport.ts';
import { signatureOf } from './signature.ts';
import type { Target, Webhook } from './target.ts';

/** The service and its version, as receivers see it (HOOK-4). */
export const USER_AGENT = 'Waybill/0.1.0';

/** One request per webhook, all with the same bytes (HOOK-3…HOOK-7). Fixed headers come last: none can be overridden. */
export function requestTo(webhook: Webhook, target: Target, body: Uint8Array, deadlineMs: number): PostRequest {
  const signed = target.sharedSecret === '' ? {} : { 'X-Signature': signatureOf(target.sharedSecret, body) };
  return {
    url: webhook.url,
    headers: { ...webhook.headers, 'User-Agent': USER_AGENT, 'Content-Type': 'application/json', ...signed },
    body,
    deadlineMs,
  };
}
