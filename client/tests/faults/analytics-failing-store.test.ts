import { expect, test } from 'vitest';
import type { Store } from '../../analytics/store.ts';
import { bench } from '../support/analytics-bench.ts';
import { settle } from '../support/analytics-virtual-clock.ts';

/** Of a user: it keeps nothing, and some of its methods are others. */
const storeWith = (methods: object): Store => {
  const store: Store = { recover: () => [], add: () => {}, end: () => {}, close: () => {} };
  return Object.assign(store, methods);
};

const broken = (): never => {
  throw new Error('broken');
};

const rejecting = async (): Promise<never> => broken();

test.each<[string, object]>([
  ['throws as a request begins', { sending: broken }],
  ['rejects as a request begins', { sending: rejecting }],
  ['throws as a request has ended', { sending: () => broken }],
  ['rejects as a request has ended', { sending: () => rejecting }],
  ['rejects as a message is kept', { add: rejecting }],
  ['rejects as messages have ended', { end: rejecting }],
  ['rejects as it is closed', { close: rejecting }],
])('LIB-7: of a store that %s no message is lost, and the log tells of it', async (_, methods) => {
  const ended: string[] = [];
  const end = (ids: readonly string[]): void => void ended.push(...ids);
  const { analytics, clock, server, log } = bench({ store: storeWith({ end, ...methods }) }, [503]);
  expect(analytics.track('u', 'e', {}, { messageId: 'm' })).toMatchObject({ ok: true });
  expect(await clock.until(analytics.close())).toMatchObject({ delivered: 1, unsent: [] });
  await settle();
  expect(server.acceptedIds).toEqual(['m']);
  expect(ended).toEqual('end' in methods ? [] : ['m']);
  expect(log.lines[0]).toMatch(/^error \[waybill\] a callback or the store threw /);
});
