import { Analytics } from '@segment/analytics-node';
import { idsIn } from './application.ts';

/** What one run of an application sent. */
export interface Sent {
  /** Message ids of the calls that the SDK made. */
  readonly messageIds: readonly string[];
  /** Those of them that the router acknowledged with a 200. */
  readonly acceptedIds: readonly string[];
}

/** Makes all six calls with the SDK as it comes from npm, pointed at the router by its host alone. */
export async function makeSixCalls(host: string, writeKey: string): Promise<Sent> {
  const analytics = new Analytics({ host, writeKey, flushInterval: 100 });
  const acceptedIds: string[] = [];
  const messageIds: string[] = [];
  analytics.on('http_request', ({ body }) => messageIds.push(...idsIn(body)));
  // The SDK hands the body of the request out again with the answer.
  analytics.on('http_response', ({ status, body }) => {
    if (status === 200) acceptedIds.push(...idsIn(body));
  });
  const userId = 'ada@example.com';
  analytics.identify({ userId, traits: { name: 'Ada Lovelace', plan: 'pro' } });
  analytics.track({ userId, event: 'Order Completed', properties: { total: 42.5, currency: 'EUR' } });
  analytics.page({
    userId,
    name: 'Pricing',
    properties: { path: '/pricing', title: 'Pricing', url: 'https://example.com/pricing' },
  });
  analytics.screen({ userId, name: 'Settings', properties: { tab: 'privacy' } });
  analytics.group({ userId, groupId: 'engines', traits: { seats: 3 } });
  analytics.alias({ userId, previousId: 'anonymous-7' });
  await analytics.closeAndFlush({ timeout: 10_000 });
  return { messageIds, acceptedIds };
}
