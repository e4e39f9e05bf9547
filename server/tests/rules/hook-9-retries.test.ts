import { expect, test, vi } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { DESTINATION, startEngine, targetOf } from '../support/engine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const A = 'https://a.test/hook';
const B = 'https://b.test/hook';

test('HOOK-9: a 503 is retried with doubling waits until the window ends', async () => {
  const { clock, store, transport, send } = await startEngine(() => answers(503));
  const start = clock.now();
  await send();
  await clock.advance(5 * HOUR);

  const times = transport.posts.map((post) => post.at - start);
  expect(times.slice(0, 8)).toEqual([0, 10, 30, 70, 150, 310, 630, 1230].map((s) => s * SECOND));
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.max(...waits)).toBe(10 * MINUTE);
  expect(times.at(-1)).toBe(4 * HOUR - 5 * SECOND);
  expect(store.deliveries[0]).toMatchObject({ state: 'expired', round: times.length });
});

test('HOOK-9: nothing is sent after the four hours', async () => {
  const { clock, transport, send } = await startEngine(() => answers(500), { random: () => 0.3 });
  const start = clock.now();
  await send();
  await clock.advance(24 * HOUR);
  expect(transport.posts.length).toBeGreaterThan(20);
  expect(Math.max(...transport.posts.map((post) => post.at))).toBeLessThanOrEqual(start + 4 * HOUR);
  expect(clock.sleepers).toBe(0);
});

test('HOOK-9: an endpoint that recovers after an hour gets the event', async () => {
  const recovery = HOUR;
  const { clock, store, send } = await startEngine(({ at }) => answers(at - start < recovery ? 503 : 200));
  const start = clock.now();
  await send();
  await clock.advance(recovery + 11 * MINUTE);
  expect(store.deliveries[0]?.state).toBe('delivered');
});

test('D-23: waits keep to the upper half of their bound', async () => {
  const { clock, transport, send } = await startEngine(() => answers(503), { random: () => 0 });
  await send();
  await clock.advance(26 * SECOND);
  expect(transport.posts.map((post) => post.at - (transport.posts[0]?.at ?? 0))).toEqual([0, 5_000, 15_000]);
});

test('D-23: Retry-After lengthens a wait but never beyond the window', async () => {
  const { clock, transport, send } = await startEngine(() => answers(429, '3600'));
  const start = clock.now();
  await send();
  await clock.advance(5 * HOUR);
  expect(transport.posts.map((post) => post.at - start)).toEqual([0, HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR - 5 * SECOND]);
});

test('HOOK-8: no answer within five seconds is a logged timeout, and retried', async () => {
  let calls = 0;
  const slow = { afterMs: 6 * SECOND, result: answers(200).result };
  const { clock, store, transport, logged, send } = await startEngine(() => ((calls += 1) === 1 ? slow : answers(200)));
  await send();
  await clock.advance(5 * SECOND);
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'attempt failed',
      fields: expect.objectContaining({ outcome: 'first_byte_timeout', round: 1, ms: 5_000 }),
    }),
  );
  expect(store.deliveries[0]?.attempts[0]?.excerpt).toBe('no answer within 5 s');
  await clock.advance(10 * SECOND);
  expect(transport.posts).toHaveLength(2);
  expect(store.deliveries[0]?.state).toBe('delivered');
});

test('HOOK-18: a 404 is never tried again', async () => {
  const { clock, store, transport, send } = await startEngine(() => answers(404));
  await send();
  await clock.advance(5 * HOUR);
  expect(transport.posts).toHaveLength(1);
  expect(store.deliveries[0]?.state).toBe('failed');
});

test('HOOK-18: an event that all webhooks that are left have refused fails at its next turn', async () => {
  const { clock, store, transport, targets, send } = await startEngine(
    ({ request }) => answers(request.url === A ? 410 : 503),
    { target: targetOf(A, B) },
  );
  await send();
  await clock.advance(1);
  expect(store.deliveries[0]?.state).toBe('pending');
  targets.set(DESTINATION, targetOf(A));
  await clock.advance(MINUTE);
  expect(transport.posts.map((post) => post.request.url)).toEqual([A, B]);
  expect(store.deliveries[0]?.state).toBe('failed');
});

test('D-22: a retry goes to the temporary failures alone', async () => {
  const endpoint = startEngine(({ request }) => answers(request.url === A ? 410 : 503), { target: targetOf(A, B) });
  const { clock, transport, send } = await endpoint;
  await send();
  await clock.advance(11 * SECOND);
  expect(transport.posts.map((post) => post.request.url)).toEqual([A, B, B]);
});

test('HOOK-10: one success ends the event, and siblings are not retried', async () => {
  const options = { target: targetOf(A, B) };
  const { clock, store, transport, send } = await startEngine(
    ({ request }) => (request.url === A ? answers(503) : { afterMs: 3 * SECOND, result: answers(204).result }),
    options,
  );
  await send();
  await clock.advance(5 * HOUR);
  expect(transport.posts.map((post) => post.request.url)).toEqual([A, B]);
  expect(store.deliveries[0]?.state).toBe('delivered');
  expect(store.deliveries[0]?.attempts.map((attempt) => attempt.outcome)).toEqual(['http_5xx', 'delivered']);
});

test('HOOK-10: a sibling that is still in flight is recorded, not retried', async () => {
  const { clock, store, transport, send } = await startEngine(
    ({ request }) => (request.url === A ? answers(200) : { afterMs: 4 * SECOND, result: answers(503).result }),
    { target: targetOf(A, B) },
  );
  await send();
  await clock.advance(1);
  expect(store.deliveries[0]?.state).toBe('delivered');
  // Once the sibling has ended, nothing waits for another round either, and the destination leaves memory.
  await clock.advance(21 * MINUTE);
  expect(clock.sleepers).toBe(0);
  await clock.advance(5 * HOUR);
  expect(store.deliveries[0]?.state).toBe('delivered');
  expect(store.deliveries[0]?.attempts.map((attempt) => attempt.outcome)).toEqual(['delivered', 'http_5xx']);
  // Nor does the log promise one.
  expect(store.deliveries[0]?.attempts.map((attempt) => attempt.nextDueAt)).toEqual([undefined, undefined]);
  expect(transport.posts).toHaveLength(2);
});

test('HOOK-10: each attempt is written once, and a success at once', async () => {
  const { clock, store, targets, send } = await startEngine(({ request }) =>
    request.url === A ? answers(200) : { afterMs: 4 * SECOND, result: answers(503).result },
  );
  const record = vi.spyOn(store, 'record');
  const written = (): number[] =>
    record.mock.calls.flatMap(([rounds]) => rounds.map(({ attempts }) => attempts.length));
  targets.set(DESTINATION, targetOf(A));
  await send({ messageId: 'one' });
  await clock.advance(MINUTE);
  expect(written()).toEqual([1]);
  targets.set(DESTINATION, targetOf(A, B));
  await send({ messageId: 'two' });
  await clock.advance(1);
  expect(written()).toEqual([1, 1]);
  await clock.advance(MINUTE);
  expect(written()).toEqual([1, 1, 1]);
});

test('D-30: a disabled destination is cancelled at its next turn', async () => {
  const { clock, store, transport, targets, send } = await startEngine(() => answers(503));
  await send();
  await clock.advance(1);
  targets.clear();
  await clock.advance(5 * HOUR);
  expect(transport.posts).toHaveLength(1);
  expect(store.deliveries[0]).toMatchObject({ state: 'cancelled', attempts: { length: 1 } });
});
