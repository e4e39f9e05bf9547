import { expect, test } from 'vitest';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

test.each([
  ['text', '"a-1"', 'a-1'],
  ['an integer', '42', '42'],
  ['zero', '0', '0'],
  ['an integer beyond 2^53', '12345678901234567890', '12345678901234567890'],
])('ING-7: an anonymous id may be %s', async (_kind, json, anonymousId) => {
  const { post, store } = await startIngestion();
  await post('/v1/batch', `{"batch":[{"type":"identify","anonymousId":${json}}]}`);
  expect(store.events).toMatchObject([{ anonymousId }]);
});

test('ING-7: an alias has no anonymous id', async () => {
  const { events } = await startIngestion();
  const [event] = await events({ type: 'alias', previousId: 'p', userId: 'u', anonymousId: 'a' });
  expect(event).toMatchObject({ previousId: 'p', userId: 'u' });
  expect(event).not.toHaveProperty('anonymousId');
});

test('ING-7: an anonymous id cannot stand for the user of an alias', async () => {
  const { events, dropped } = await startIngestion();
  expect(await events({ type: 'alias', previousId: 'p', anonymousId: 'a' })).toEqual([]);
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ id_required: 1 });
});
