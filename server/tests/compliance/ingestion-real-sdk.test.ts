import { Analytics } from '@segment/analytics-node';
import { expect, test } from 'vitest';
import { CALL_TYPES } from '../../model/message.ts';
import { startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

test('ING-4: @segment/analytics-node reaches the router with all six calls', async () => {
  const { url, store, dropped } = await startIngestion();
  const analytics = new Analytics({ writeKey: WRITE_KEY, host: url });
  const errors: unknown[] = [];
  analytics.on('error', (error) => errors.push(error));
  analytics.identify({ userId: 'u', traits: { plan: 'pro' } });
  analytics.track({ userId: 'u', event: 'Signed Up', properties: { total: 1.5 }, timestamp: new Date(0) });
  analytics.page({ userId: 'u', name: 'Start', category: 'Docs', properties: { url: 'https://a.example/' } });
  analytics.screen({ anonymousId: 'a', name: 'Cart' });
  analytics.group({ userId: 'u', groupId: 'g', traits: { name: 'Acme' } });
  analytics.alias({ userId: 'u', previousId: 'p' });
  await analytics.closeAndFlush();
  expect(errors).toEqual([]);
  expect(store.events.map(({ type }) => type).toSorted()).toEqual([...CALL_TYPES].toSorted());
  for (const { messageId, context } of store.events) {
    expect(messageId).toMatch(/^node-next-/);
    expect(context).toMatchObject({ library: { name: '@segment/analytics-node' } });
  }
  expect(dropped.of('workspaces/main/sources/js').size).toBe(0);
});
