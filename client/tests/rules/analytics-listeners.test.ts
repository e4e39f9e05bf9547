import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Emitter, safely } from '../../analytics/emitter.ts';
import type { Store } from '../../analytics/store.ts';
import { bench } from '../support/analytics-bench.ts';
import { settle } from '../support/analytics-virtual-clock.ts';

test('what listeners are told is made only while somebody listens', () => {
  const emitter = new Emitter<{ readonly told: number }>(() => {});
  let made = 0;
  const emit = (): void => emitter.emit('told', () => (made += 1));
  emit();
  const heard: number[] = [];
  const off = emitter.on('told', (count) => heard.push(count));
  emit();
  off();
  emit();
  expect([made, heard]).toEqual([1, [1]]);
});

test('a listener that throws or rejects keeps nothing from the others', async () => {
  const thrown: unknown[] = [];
  const emitter = new Emitter<{ readonly told: number }>((error) => thrown.push(error));
  const heard: number[] = [];
  emitter.on('told', () => {
    throw new Error('thrown');
  });
  emitter.on('told', () => Promise.reject(new Error('rejected')));
  const off = emitter.on('told', (count) => {
    off();
    heard.push(count);
  });
  emitter.on('told', (count) => heard.push(count));
  emitter.emit('told', () => 1);
  await settle();
  expect([thrown, heard]).toEqual([
    [new Error('thrown'), new Error('rejected')],
    [1, 1],
  ]);
});

test('a promise of another realm that rejects gets no further either', async () => {
  const thrown: unknown[] = [];
  safely(
    () => runInNewContext('Promise.reject("rejected")'),
    (error) => thrown.push(error),
  );
  await settle();
  expect(thrown).toEqual(['rejected']);
});

test('what was tried again and given up is counted, told by its ids, and warned of with the reason', async () => {
  const { analytics, clock, log } = bench({ maxRetries: 1 }, [503, 503]);
  const failed: (readonly string[])[] = [];
  analytics.on('failed', ({ messageIds }) => failed.push(messageIds));
  analytics.track('u', 'e', {}, { messageId: 'm' });
  await clock.until(analytics.flush());
  expect(failed).toEqual([['m']]);
  expect(analytics.statistics).toMatchObject({ requests: 2, retries: 1, failed: 1, refused: 0 });
  expect(log.lines).toEqual([
    expect.stringMatching(/^warn \[waybill\] 1 messages were not delivered \(retries_exhausted\): .*status 503/),
  ]);
});

test('a store gets each message that is taken, its end, and the end of the client', async () => {
  const told: unknown[] = [];
  const store: Store = {
    recover: () => [],
    add: (kept) => void told.push(kept),
    end: (ids) => void told.push(ids),
    close: () => void told.push('close'),
  };
  const { analytics, clock } = bench({ store });
  analytics.track('u', 'e', {}, { messageId: 'm' });
  await clock.until(analytics.close());
  expect(told).toEqual([{ messageId: 'm', json: expect.stringContaining('"messageId":"m"') }, ['m'], 'close']);
  expect(analytics.track('u', 'e')).toMatchObject({ message: 'the client was closed; make a new one' });
});

test.each([
  [new Error('disk full'), 'the store threw Error: disk full'],
  ['disk full', 'the store threw disk full'],
])('a message that the store refuses with %s is not taken', (thrown, message) => {
  const add = (): never => {
    throw thrown;
  };
  const { analytics } = bench({ store: { recover: () => [], add, end: () => {}, close: () => {} } });
  expect(analytics.track('u', 'e')).toEqual({ ok: false, reason: 'not_stored', message });
  expect(analytics.statistics).toMatchObject({ queued: 0, dropped: { not_stored: 1 } });
});
