import { STRIPE as FORM } from '../../client/webhooks/senders/stripe.ts';
import { hmacScheme } from './hmac-scheme.ts';

export const STRIPE = hmacScheme({
  ...FORM,
  name: 'stripe',
  title: 'Stripe',
  places: { id: [{ field: 'id' }], withoutId: 'same body', type: [{ field: 'type' }] },
  write: (digest, timestamp) => ({ 'Stripe-Signature': `t=${timestamp},v1=${digest}` }),
  writeBoth: (previous, digest, timestamp) => ({ 'Stripe-Signature': `t=${timestamp},v1=${previous},v1=${digest}` }),
});
