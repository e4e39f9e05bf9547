import { joined } from '../bytes.ts';
import type { SenderForm } from './form.ts';
import { FIVE_MINUTES, formOf, type HeaderForm } from './header-form.ts';
import { STRIPE } from './stripe.ts';
import { TWILIO } from './twilio.ts';

/** `X-Hub-Signature-256: sha256=<hex>` over the body; many senders beside GitHub do the same. */
export const GITHUB = {
  header: 'X-Hub-Signature-256',
  algorithm: 'SHA-256',
  encoding: 'hex',
  prefix: 'sha256=',
} as const satisfies HeaderForm;

/** `X-Slack-Signature: v0=<hex>` over `v0:<seconds>:<body>`, the seconds in `X-Slack-Request-Timestamp`. */
export const SLACK = {
  header: 'X-Slack-Signature',
  algorithm: 'SHA-256',
  encoding: 'hex',
  prefix: 'v0=',
  timestamp: { header: 'X-Slack-Request-Timestamp', toleranceSeconds: FIVE_MINUTES },
  payload: ({ timestamp, body }) => joined([`v0:${timestamp}:`, body]),
} as const satisfies HeaderForm;

/** `X-Shopify-Hmac-Sha256: <base64>` over the body. */
export const SHOPIFY = {
  header: 'X-Shopify-Hmac-Sha256',
  algorithm: 'SHA-256',
  encoding: 'base64',
} as const satisfies HeaderForm;

/** Senders that sign in a way of their own. Who follows Standard Webhooks is verified by `verifyStandard`. */
export const SENDERS = {
  stripe: STRIPE,
  github: formOf(GITHUB),
  slack: formOf(SLACK),
  shopify: formOf(SHOPIFY),
  twilio: TWILIO,
} as const satisfies Record<string, SenderForm>;

export type SenderName = keyof typeof SENDERS;
