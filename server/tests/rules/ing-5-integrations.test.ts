import { expect, test } from 'vitest';
import { isWanted } from '../../events/route.ts';
import { startIngestion } from '../support/ingestion-server.ts';

const TABLE: readonly (readonly [integrations: string, isDelivered: boolean])[] = [
  ['{}', true],
  ['{"all":true}', true],
  ['{"All":true}', true],
  ['{"all":false}', false],
  ['{"All":false}', false],
  ['{"Webhooks":true}', true],
  ['{"Webhooks":false}', false],
  ['{"all":false,"Webhooks":true}', true],
  ['{"All":false,"Webhooks":true}', true],
  ['{"all":true,"Webhooks":false}', false],
  ['{"all":false,"Webhooks":{"option":1}}', true],
  ['{"all":false,"Webhooks":{}}', true],
  ['{"all":true,"All":false}', false],
  ['{"all":false,"All":true}', false],
  // Case counts, so these speak of other destinations.
  ['{"webhooks":false}', true],
  ['{"WEBHOOKS":false}', true],
  ['{"all":false,"webhooks":true}', false],
  ['{"ALL":false}', true],
  ['{"Salesforce":false}', true],
  ['{"all":false,"Salesforce":true}', false],
  // What is neither a boolean nor an object says nothing.
  ['{"Webhooks":null}', true],
  ['{"all":false,"Webhooks":null}', false],
  ['{"Webhooks":"false"}', true],
  ['{"all":false,"Webhooks":"true"}', false],
  ['{"all":0}', true],
  ['{"__proto__":{"all":false,"Webhooks":false}}', true],
];

test.each(TABLE)('ING-5, D-45: integrations %s: delivered is %s', (integrations, isDelivered) => {
  expect(isWanted(['Webhooks'], JSON.parse(integrations))).toBe(isDelivered);
});

test('ING-5: without integrations all enabled destinations get the event', () => {
  expect(isWanted(['Webhooks'], undefined)).toBe(true);
});

test('ING-5: a call that switches the destination off is stored without a route', async () => {
  const { events, store, dispatcher } = await startIngestion();
  await events(
    { type: 'identify', userId: 'u', messageId: 'off', integrations: { Webhooks: false } },
    { type: 'identify', userId: 'u', messageId: 'on', integrations: { All: false, Webhooks: true } },
  );
  expect(store.stored.map(({ routes: routed }) => routed.length)).toEqual([0, 1]);
  expect(dispatcher.claims.map(({ message }) => message.event.messageId)).toEqual(['on']);
});

function identify(messageId: string, integrations?: object): object {
  return { type: 'identify', userId: 'u', messageId, integrations };
}

test('ING-5: integrations of the batch hold for its events, and own ones stand over them', async () => {
  const { post, store } = await startIngestion();
  const batch = [
    identify('silent'),
    identify('own', { Webhooks: true }),
    identify('all', { All: true }),
    identify('none', { all: null }),
  ];
  await post('/v1/batch', { batch, integrations: { all: false } });
  expect(store.stored.map(({ message, routes: routed }) => [message.event.messageId, routed.length])).toEqual([
    ['silent', 0],
    ['own', 1],
    ['all', 1],
    ['none', 0],
  ]);
});
