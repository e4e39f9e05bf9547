import { expect, test } from 'vitest';
import { BATCH_BYTES } from '../../../client/analytics/batch.ts';
import { BODY_BYTES } from '../../events/event-limits.ts';
import { startIngestion } from '../support/ingestion-server.ts';

const LIMIT = 512_000;

function callOf(id: number, text: string): object {
  return { type: 'track', userId: 'u', messageId: `m${id}`, event: 'E', properties: { text } };
}

/** A batch whose JSON takes exactly so many bytes, in events of a few kilobytes each. */
function batchOf(bytes: number): string {
  const calls = Array.from({ length: 40 }, (_, id) => callOf(100 + id, 'x'.repeat(12_000)));
  const empty = JSON.stringify({ batch: [...calls, callOf(999, '')] });
  return JSON.stringify({ batch: [...calls, callOf(999, 'x'.repeat(bytes - empty.length))] });
}

test('ING-2: a body of exactly the limit is accepted whole', async () => {
  const { post, store } = await startIngestion();
  const body = batchOf(LIMIT);
  expect(Buffer.byteLength(body)).toBe(LIMIT);
  expect(await post('/v1/batch', body)).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(41);
});

test('ING-2: a body of one byte more is answered 413, and nothing is stored', async () => {
  const { post, store } = await startIngestion();
  const answer = await post('/v1/batch', batchOf(LIMIT + 1));
  expect(answer).toMatchObject({ status: 413, body: { code: 3, error: 'the body is larger than 512000 bytes' } });
  expect(store.calls).toEqual([]);
});

test('LIB-10: what the library sends stays below the limit of the router', () => {
  expect(BATCH_BYTES).toBeLessThan(BODY_BYTES);
  expect(BODY_BYTES).toBe(LIMIT);
});

test('ING-2: a body far over the limit still gets its answer', async () => {
  const { post, store } = await startIngestion();
  expect(await post('/v1/batch', batchOf(LIMIT).padEnd(4_000_000))).toMatchObject({ status: 413 });
  expect(store.calls).toEqual([]);
});

test('ING-2: a context that would swell each event is refused', async () => {
  const { post, store } = await startIngestion();
  const batch = Array.from({ length: 100 }, (_, id) => ({ type: 'identify', userId: `u${id}` }));
  const refused = [
    await post('/v1/batch', { batch, context: { text: 'x'.repeat(20_500) } }),
    await post('/v1/batch', { batch: batch.slice(0, 1), integrations: { text: 'x'.repeat(32_768) } }),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: 413, body: { code: 3 } });
  expect(store.calls).toEqual([]);
  expect(await post('/v1/batch', { batch, context: { text: 'x'.repeat(20_000) } })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(100);
});

test.each(['x', 'é', '日', '😀'])('ING-2: a context of "%s" counts with its bytes in UTF-8', async (fill) => {
  const { post, store } = await startIngestion();
  const contextOf = (bytes: number): object => {
    const rest = bytes - Buffer.byteLength(JSON.stringify([{ text: '' }, null]));
    const each = Buffer.byteLength(fill);
    return { text: fill.repeat(Math.floor(rest / each)) + 'x'.repeat(rest % each) };
  };
  const batch = Array.from({ length: 250 }, (_, id) => callOf(id, ''));
  // The limit is 2,048,000 bytes over all events.
  expect(await post('/v1/batch', { context: contextOf(8_193), batch })).toMatchObject({ status: 413 });
  expect(store.calls).toEqual([]);
  expect(await post('/v1/batch', { context: contextOf(8_192), batch })).toMatchObject({ status: 200 });
  expect(store.events).toHaveLength(250);
});
