import { deliveryId } from '../../model/delivery.ts';
import { batchOf } from '../support/memory-storage.ts';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/message.ts';
import { messageOf } from '../support/engine.ts';
import { A, accept, end, left, NOW, openPlace } from '../support/retention-place.ts';
import { momentAt } from '../support/still-clock.ts';

const SOURCE = messageOf({ now: () => NOW }).source;
/** Deeper than SQLite reads JSON (1 000), as no more than 10 KB hold it. */
const LEVELS = 5_000;

function nested(levels: number): JsonObject {
  const list: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  return { list };
}

test('D-31: an event nested ever so deep is listed beside others', async () => {
  const place = await openPlace();
  await accept(place, NOW, ['deep'], [A], nested(LEVELS));
  await accept(place, NOW + 1, ['flat']);
  expect(await left(place)).toEqual(['flat', 'deep']);
  expect(await place.store.read({ destination: A, delivery: deliveryId('1') })).toMatchObject({ messageId: 'deep' });
});

test('D-12: an event nested ever so deep is forgotten with its user', async () => {
  const place = await openPlace();
  const properties = nested(LEVELS);
  const flat = messageOf({ now: () => NOW }, { messageId: 'flat', userId: 'ada' });
  const alias = messageOf({ now: () => NOW }, { type: 'alias', messageId: 'alias', previousId: 'ada', properties });
  const last = messageOf({ now: () => NOW }, { messageId: 'last', userId: 'ada', properties });
  const routes = [{ destination: A, claimed: false }];
  await place.store.accept(batchOf([flat, alias, last].map((message) => ({ message, routes }))));
  const request = { scope: SOURCE, userIds: ['ada'], now: NOW, limit: 10 };
  expect(await place.store.eraseUsers(request)).toMatchObject({ deliveries: 3 });
  expect(await left(place)).toEqual(['last']);
  const newest = await place.store.read({ destination: A, delivery: deliveryId('3') });
  expect(newest).toMatchObject({ messageId: 'last', state: 'cancelled', userId: '', event: '' });
});

test('D-12: what stays of the newest delivery of a forgotten user names nobody', async () => {
  const place = await openPlace();
  const message = messageOf({ now: () => NOW }, { messageId: 'last', userId: 'ada', properties: { mail: 'ada@x.y' } });
  await place.store.accept(batchOf([{ message, routes: [{ destination: A, claimed: false }] }]));
  await place.store.eraseUsers({ scope: SOURCE, userIds: ['ada'], now: NOW, limit: 10 });
  await place.store.replay({ destination: A, delivery: deliveryId('1'), at: momentAt(NOW) });
  const { claims } = await place.store.claim({ which: 'due', now: NOW, destination: A, limit: 1 });
  const { type, messageId, timestamp, receivedAt } = message.event;
  expect(claims[0]?.message.event).toEqual({ type, messageId, timestamp, receivedAt, context: {} });
  await end(place, claims);
});
