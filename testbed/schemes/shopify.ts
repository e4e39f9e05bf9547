import { custom } from './custom.ts';

/** `X-Shopify-Hmac-Sha256: <base64>` over the body. */
export const SHOPIFY = custom({
  name: 'shopify',
  title: 'Shopify',
  header: 'X-Shopify-Hmac-Sha256',
  algorithm: 'SHA-256',
  encoding: 'base64',
  id: [{ header: 'X-Shopify-Webhook-Id' }, { header: 'X-Shopify-Event-Id' }],
  withoutId: 'same body',
  type: [{ header: 'X-Shopify-Topic' }],
});
