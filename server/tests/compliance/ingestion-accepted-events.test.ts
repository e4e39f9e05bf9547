import { expect, test } from 'vitest';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { startConfigApi, withSource } from '../support/config-api.ts';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

const CALL = { type: 'track', userId: 'u1', event: 'Signed Up', messageId: 'm1' };
const EVENT = { type: 'track', messageId: 'm1', event: 'Signed Up', receivedAt: '2026-11-22T12:00:00.000Z' } as const;

test('what a source sends is counted once it is stored, and the last events are listed', async () => {
  const { post, accepted } = await startIngestion();
  expect(accepted.countOf(SOURCE)).toBe(0);
  await post('/v1/batch', { batch: [CALL, { type: 'track', event: 'Nobody' }] });
  await post('/v1/identify', { userId: 'u2', messageId: 'm2' });
  expect(accepted.countOf(SOURCE)).toBe(2);
  expect(accepted.lastOf(SOURCE)).toMatchObject([
    { type: 'identify', messageId: 'm2', event: '' },
    { type: 'track', messageId: 'm1', event: 'Signed Up' },
  ]);
});

test('a duplicate is not counted again', async () => {
  const { post, accepted } = await startIngestion();
  await post('/v1/batch', { batch: [CALL] });
  await post('/v1/batch', { batch: [CALL] });
  expect(accepted.countOf(SOURCE)).toBe(1);
});

test('the API tells the count and the last 20 events, newest first, without what they hold', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const events = Array.from({ length: 30 }, (_, index) => ({
    ...EVENT,
    messageId: `m${index}`,
    userId: 'u1',
    context: { ip: '10.0.0.1' },
    timestamp: EVENT.receivedAt,
  }));
  api.accepted.add(source, events);
  const answer = await api.ok('GET', `/${source}/accepted-events`);
  expect(answer).toMatchObject({ count: 30, accepted_events: { length: 20, 0: { message_id: 'm29' } } });
  expect(JSON.stringify(answer)).not.toMatch(/u1|10\.0\.0\.1/);
});

test('events that are removed leave the list of their source, and stay counted', () => {
  const accepted = createAcceptedEvents();
  const event = { ...EVENT, context: {}, timestamp: EVENT.receivedAt };
  for (const source of ['a', 'b']) accepted.add(source, [event, { ...event, messageId: 'm2' }]);
  const removed = accepted.removeLast(
    (source) => source === 'a',
    ({ messageId }) => messageId === 'm1',
  );
  expect([...removed]).toHaveLength(1);
  const ids = (source: string): string[] => accepted.lastOf(source).map(({ messageId }) => messageId);
  expect([ids('a'), ids('b'), accepted.countOf('a')]).toEqual([['m2'], ['m2', 'm1'], 2]);
});

test('lists are bounded over all sources, and counts stay', () => {
  const accepted = createAcceptedEvents({ lists: 2_000, counts: 5_000 });
  const long = { ...EVENT, event: 'x'.repeat(5_000), context: {}, timestamp: EVENT.receivedAt };
  for (const source of ['a', 'b', 'c', 'd', 'e', 'f']) accepted.add(source, [long]);
  expect(accepted.lastOf('f')[0]?.event).toHaveLength(100);
  expect([accepted.countOf('a'), accepted.lastOf('a')]).toEqual([1, []]);
});

test('SAFE-1: counts of sources that are made and deleted without end are bounded, the longest idle first out', () => {
  const [accepted, dropped] = [
    createAcceptedEvents({ lists: 2_000, counts: 10_000 }),
    createDroppedEvents(2_000, 10_000),
  ];
  const event = { ...EVENT, context: {}, timestamp: EVENT.receivedAt };
  const sources = Array.from({ length: 200 }, (_, at) => `s${at}`);
  for (const source of sources) {
    accepted.add(source, [event]);
    dropped.add(source, new Map([['bad_request', 1]]), []);
  }
  for (const isCounted of [
    (source: string) => accepted.countOf(source) > 0,
    (source: string) => dropped.of(source).size > 0,
  ]) {
    const counted = sources.filter(isCounted);
    expect(counted.length).toBeLessThan(60);
    expect(counted.at(-1)).toBe('s199');
  }
});

test('the last 20 events of a source are kept, with as much of each as fits a line', () => {
  const accepted = createAcceptedEvents();
  const { event: _event, ...unnamed } = { ...EVENT, context: {}, timestamp: EVENT.receivedAt };
  accepted.add(
    'a',
    Array.from({ length: 21 }, (_, index) => ({ ...unnamed, messageId: `m${index}` })),
  );
  expect(accepted.lastOf('a').map(({ messageId }) => messageId)).toEqual(
    Array.from({ length: 20 }, (_, index) => `m${20 - index}`),
  );
  const [kept] = accepted.lastOf('a');
  expect(kept).toStrictEqual({ type: 'track', messageId: 'm20', event: '', receivedAt: EVENT.receivedAt });
  accepted.add('b', [{ ...unnamed, messageId: 'i'.repeat(101), event: 'e'.repeat(101) }]);
  expect(accepted.lastOf('b')[0]).toMatchObject({ messageId: 'i'.repeat(100), event: 'e'.repeat(100) });
});

test('of a source of which nothing came, or no events, nothing is counted', () => {
  const accepted = createAcceptedEvents();
  accepted.add('a', []);
  expect([accepted.countOf('a'), accepted.lastOf('a'), accepted.countOf('b'), accepted.lastOf('b')]).toEqual([
    0,
    [],
    0,
    [],
  ]);
});
