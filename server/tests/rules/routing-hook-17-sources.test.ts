import { expect, test } from 'vitest';
import { basic, DESTINATION, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const CONTEXTS: readonly (readonly [kind: string, context: object])[] = [
  ['web', { library: { name: 'analytics.js', version: 'npm:next-1.84.3' }, page: { url: 'https://a.example/' } }],
  ['mobile', { library: { name: 'analytics-kotlin', version: '1.19.0' }, device: { type: 'android' } }],
  ['server', { library: { name: 'analytics-go', version: '3.0.0' } }],
];

test.each(CONTEXTS)('HOOK-17: what a %s source sends is delivered in cloud mode', async (_kind, context) => {
  const { post, dispatcher } = await startIngestion();
  const batch = [{ type: 'track', anonymousId: 'a', event: 'E', context, _metadata: { bundled: ['Webhooks'] } }];
  await post('/v1/batch', { batch }, { ...basic(WRITE_KEY), 'user-agent': 'Mozilla/5.0' });
  expect(dispatcher.claims).toMatchObject([{ destination: DESTINATION, message: { event: { context } } }]);
});

test('D-43: a batch that is sent again is 200, and delivered once', async () => {
  const { post, store, dispatcher } = await startIngestion();
  const batch = [{ type: 'identify', userId: 'u', messageId: 'm1' }];
  for (let turn = 0; turn < 3; turn += 1) expect(await post('/v1/batch', { batch })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(1);
  expect(dispatcher.claims).toHaveLength(1);
});
