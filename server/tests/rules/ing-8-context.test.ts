import { expect, test } from 'vitest';
import { basic, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

test('ING-8: ip and userAgent are kept as supplied', async () => {
  const { events } = await startIngestion();
  const context = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (X11)', locale: 'de-CH', app: { build: 3 } };
  const [event] = await events({ type: 'identify', userId: 'u', context });
  expect(event?.context).toEqual(context);
});

test('ING-8: ip and userAgent are never taken from the connection', async () => {
  const { post, store } = await startIngestion();
  const headers = { ...basic(WRITE_KEY), 'user-agent': 'analytics-node-next/latest', 'x-forwarded-for': '203.0.113.9' };
  await post('/v1/batch', { batch: [{ type: 'identify', userId: 'u', context: { library: { name: 'x' } } }] }, headers);
  await post('/v1/identify', { userId: 'u' }, headers);
  expect(store.events.map(({ context }) => context)).toEqual([{ library: { name: 'x' } }, {}]);
});
