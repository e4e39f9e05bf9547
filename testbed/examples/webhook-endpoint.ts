import { createServer, type Server } from 'node:http';
import { nodeWebhook, type WebhookEvent } from '@waybill/client/webhooks';

/** An application that receives webhooks: it verifies each one, and remembers the orders that were completed. */
export function createWebhookEndpoint(secret: string, orders: Map<string, number>): Server {
  const onEvent = (event: WebhookEvent): void => {
    if (event.type !== 'track' || event.event !== 'Order Completed') return;
    // Deliveries may come twice: the messageId is the same each time.
    orders.set(event.messageId, Number(event.properties['total'] ?? 0));
  };
  const answer = nodeWebhook({ secret, onEvent });
  return createServer((request, response) => {
    // A request that breaks off has nobody left to answer.
    answer(request, response).catch(() => response.destroy());
  });
}
