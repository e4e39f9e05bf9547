import { createHmac } from 'node:crypto';

/** `X-Signature`: hex HMAC-SHA-1 keyed by the shared secret, over the very bytes that are sent (HOOK-5, HOOK-7). */
export function signatureOf(secret: string, body: Uint8Array): string {
  return createHmac('sha1', secret).update(body).digest('hex');
}
