import { expect, test } from 'vitest';
import { type IngestionServer, startIngestion } from '../support/ingestion-server.ts';

const BATCH = { batch: [{ type: 'identify', userId: 'u' }] };

/** Sends a batch while `asked` has not happened; then tells whether its answer came before a later request's did. */
async function answersWithinAnother(
  { post }: IngestionServer,
  asked: Promise<void>,
): Promise<[boolean, Promise<number>]> {
  let hasAnswered = false;
  const status = post('/v1/batch', BATCH).then((answer) => {
    hasAnswered = true;
    return answer.status;
  });
  await asked;
  // An answer that was not held back would be here long before a whole further request is.
  for (let turn = 0; turn < 5; turn += 1) await post('/v1/nothing', {});
  return [hasAnswered, status];
}

test('ING-10: no 200 before the store has stored', async () => {
  const server = await startIngestion();
  const held = server.store.hold();
  const [hasAnswered, status] = await answersWithinAnother(server, held.asked);
  expect(hasAnswered).toBe(false);
  expect(server.store.stored).toEqual([]);
  held.release();
  expect(await status).toBe(200);
  expect(server.store.stored).toHaveLength(1);
});

test('ING-10: a pipeline that does not wait would be seen', async () => {
  const asked = Promise.withResolvers<void>();
  const hasty = {
    receive: () => {
      asked.resolve();
      return Promise.resolve();
    },
    drop: () => undefined,
  };
  const [hasAnswered, status] = await answersWithinAnother(await startIngestion(hasty), asked.promise);
  expect(hasAnswered).toBe(true);
  expect(await status).toBe(200);
});

test('ING-10: nothing is sent before it is stored', async () => {
  const server = await startIngestion();
  const held = server.store.hold();
  const [, status] = await answersWithinAnother(server, held.asked);
  expect(server.dispatcher.claims).toEqual([]);
  held.release();
  await status;
  expect(server.dispatcher.claims).toHaveLength(1);
});

test('ING-10, D-41: a store that cannot write is answered 503, and nothing is sent', async () => {
  const { post, store, dispatcher, dropped } = await startIngestion();
  store.isUnavailable = true;
  const batch = [...BATCH.batch, { type: 'nonsense' }];
  expect(await post('/v1/batch', { batch })).toMatchObject({
    status: 503,
    body: { code: 14, error: expect.stringContaining('store'), message: expect.stringContaining('store') },
  });
  expect(await post('/v1/identify', { userId: 'u' })).toMatchObject({ status: 503 });
  expect(dispatcher.claims).toEqual([]);
  // The request will be sent again, and its drops are counted then.
  expect(dropped.of('workspaces/main/sources/js').size).toBe(0);
});

test('ING-10, D-13: events are stored while resources cannot be read, as all that they need is known', async () => {
  const { post, config, store } = await startIngestion();
  config.isUnavailable = true;
  expect(await post('/v1/batch', BATCH)).toMatchObject({ status: 200 });
  expect(store.stored.map(({ routes }) => routes.length)).toEqual(BATCH.batch.map(() => 1));
});
