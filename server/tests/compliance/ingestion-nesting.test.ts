import { expect, test } from 'vitest';
import { createLimits, EVENT_DEPTH } from '../../events/event-limits.ts';
import { isDeeperThan } from '../../model/json-values.ts';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

/** Under a key that is a number, because JSON with such keys is written recursively. */
function nested(levels: number): string {
  return `{"0":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

function track(userId: number | string, properties: string): string {
  return `{"type":"track","userId":${JSON.stringify(userId)},"event":"E","properties":${properties}}`;
}

const GOOD = track('u', '{}');

test.each([
  ['within 32 KB', 10_000],
  ['over it', 200_000],
])('D-42: an event nested too deeply, %s, is dropped alone', async (_case, levels) => {
  const { post, store, dropped } = await startIngestion();
  const answer = await post('/v1/batch', `{"batch":[${GOOD},${track('u', nested(levels))},${GOOD}]}`);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect([store.events.length, [...dropped.of(SOURCE)]]).toEqual([2, [['bad_request', 1]]]);
});

test.each([10_000, 200_000])('D-42: a single call nested %i levels deep is 200, and counted', async (levels) => {
  const { post, store, dropped } = await startIngestion();
  expect(await post('/v1/track', track('u', nested(levels)))).toMatchObject({ status: 200 });
  expect([store.calls, [...dropped.of(SOURCE)]]).toEqual([[], [['bad_request', 1]]]);
});

test.each(['context', 'integrations'])('D-41: a batch whose %s is nested too deeply is 400', async (key) => {
  const { post, store } = await startIngestion();
  const answer = await post('/v1/batch', `{"${key}":${nested(200_000)},"batch":[${GOOD}]}`);
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('deeper than 1000 levels') } });
  expect(store.calls).toEqual([]);
});

test('D-42: where ids keep their digits, an event nested too deeply is dropped alone', async () => {
  const { post, store, dropped } = await startIngestion();
  const large = GOOD.replace('"u"', '1180591620717411303424');
  await post('/v1/batch', `{"batch":[${large},${track('u', nested(200_000))}]}`);
  expect(store.events).toMatchObject([{ userId: '1180591620717411303424' }]);
  expect([...dropped.of(SOURCE)]).toEqual([['bad_request', 1]]);
});

test('D-42: an event as deep as it may be is kept', async () => {
  const { post, store, dropped } = await startIngestion();
  // The event and its properties are two of the levels.
  await post('/v1/batch', `{"batch":[${track('u', nested(EVENT_DEPTH - 1))},${track('u', nested(EVENT_DEPTH))}]}`);
  expect([store.events.length, [...dropped.of(SOURCE)]]).toEqual([1, [['bad_request', 1]]]);
});

test('D-42: depth is counted over lists and objects, wherever they stand', () => {
  const shapes = ['{"a":[{"b":[]}]}', '[1,[[[]]],2]', '[[],{"a":{"b":{}}}]'].map((text): unknown => JSON.parse(text));
  expect(shapes.map((shape) => [isDeeperThan(shape, 3), isDeeperThan(shape, 4)])).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);
  expect([isDeeperThan('text', 0), isDeeperThan(null, 0), isDeeperThan({}, 0)]).toEqual([false, false, true]);
});

test('D-42: a body too short for an event that is nested too deeply is not looked through', () => {
  const deep: unknown = JSON.parse(nested(EVENT_DEPTH + 1));
  expect(createLimits(2 * EVENT_DEPTH)).toBeUndefined();
  expect(createLimits(2 * EVENT_DEPTH + 1)?.(deep)).toBe('bad_request');
  expect(createLimits(2 * EVENT_DEPTH + 1)?.({})).toBeUndefined();
});
