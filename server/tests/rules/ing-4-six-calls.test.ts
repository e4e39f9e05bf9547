import { expect, test } from 'vitest';
import { CALL_TYPES, type CallType } from '../../model/message.ts';
import { DESTINATION, SOURCE, startIngestion } from '../support/ingestion-server.ts';

const SIX: Readonly<Record<CallType, object>> = {
  identify: { userId: 'u1', traits: { plan: 'pro' } },
  track: { userId: 'u1', event: 'Order Completed', properties: { total: 12.5 } },
  page: { userId: 'u1', category: 'Docs', name: 'Start', properties: { url: 'https://a.example/' } },
  screen: { userId: 'u1', category: 'Shop', name: 'Cart', properties: { items: 3 } },
  group: { userId: 'u1', groupId: 'g1', traits: { name: 'Acme' } },
  alias: { previousId: 'anonymous-7', userId: 'u1' },
};

const DELIVERED = [{ destination: DESTINATION, claimed: true }];

test.each(CALL_TYPES)('ING-4, HOOK-15: %s is received at its own address and routed', async (type) => {
  const { post, store, dispatcher } = await startIngestion();
  expect(await post(`/v1/${type}`, { messageId: 'm1', ...SIX[type] })).toMatchObject({ status: 200 });
  expect(store.stored).toMatchObject([
    { message: { source: SOURCE, event: { type, messageId: 'm1', ...SIX[type] } }, routes: DELIVERED },
  ]);
  expect(dispatcher.claims).toMatchObject([{ destination: DESTINATION, message: { event: { type } }, round: 1 }]);
});

test('ING-4: one batch carries all six, in their order', async () => {
  const { events } = await startIngestion();
  const stored = await events(...CALL_TYPES.map((type) => ({ type, ...SIX[type] })));
  expect(stored).toMatchObject(CALL_TYPES.map((type) => ({ type, ...SIX[type] })));
});

test('ING-4: the address of a single call says its type', async () => {
  const { post, store } = await startIngestion();
  await post('/v1/identify', { type: 'track', userId: 'u1' });
  expect(store.events).toMatchObject([{ type: 'identify' }]);
});

test('ING-4: a call keeps only the fields of its kind', async () => {
  const { events } = await startIngestion();
  const all = { userId: 'u', anonymousId: 'a', groupId: 'g', previousId: 'p', event: 'E', name: 'N', category: 'C' };
  const stored = await events(...CALL_TYPES.map((type) => ({ type, ...all, properties: { p: 1 }, traits: { t: 1 } })));
  const common = ['context', 'messageId', 'receivedAt', 'timestamp', 'type', 'userId'];
  expect(
    stored.map((event) =>
      Object.keys(event)
        .filter((key) => !common.includes(key))
        .toSorted(),
    ),
  ).toEqual([
    ['anonymousId', 'traits'],
    ['anonymousId', 'event', 'properties'],
    ['anonymousId', 'category', 'name', 'properties'],
    ['anonymousId', 'category', 'name', 'properties'],
    ['anonymousId', 'groupId', 'traits'],
    ['previousId'],
  ]);
});
