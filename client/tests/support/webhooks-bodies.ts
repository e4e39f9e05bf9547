import type { WebhookEvent, WebhookType } from '../../webhooks/parse.ts';

const TIME = '2026-11-20T23:10:38.958Z';
const SHARED = { messageId: 'm-1', context: {}, timestamp: TIME, receivedAt: TIME };

/** A whole body of each kind. */
export const BODIES: { readonly [T in WebhookType]: WebhookEvent } = {
  page: { version: 1, type: 'page', properties: { path: '/' }, ...SHARED },
  screen: { version: 1, type: 'screen', name: 'Home', ...SHARED },
  identify: { version: 1, type: 'identify', userId: 'u', traits: { plan: 'pro' }, ...SHARED },
  track: { version: 1, type: 'track', userId: 'u', event: 'Order Completed', properties: { total: 42 }, ...SHARED },
  alias: { version: 1, type: 'alias', 'Previous ID': 'a', 'User ID': 'u', ...SHARED },
  group: { version: 1, type: 'group', groupId: 'g', traits: {}, ...SHARED },
  delete: { type: 'delete', userId: 'u', timestamp: TIME, messageId: 'm-1' },
};
