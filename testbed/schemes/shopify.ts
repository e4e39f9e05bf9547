import { SHOPIFY as FORM } from '../../client/webhooks/senders/senders.ts';
import { custom } from './custom.ts';

export const SHOPIFY = custom({
  ...FORM,
  name: 'shopify',
  title: 'Shopify',
  id: [{ header: 'X-Shopify-Webhook-Id' }, { header: 'X-Shopify-Event-Id' }],
  withoutId: 'same body',
  type: [{ header: 'X-Shopify-Topic' }],
});
