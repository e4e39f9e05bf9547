/** What must compile of the analytics library, and what must not: the compiler is the test. Nothing here runs. */
import { expectTypeOf } from 'vitest';
import {
  Analytics,
  type AnalyticsError,
  type CallResult,
  type CloseReport,
  type DropReason,
  type FailureReason,
  type FlushReport,
  HOSTS,
  type Message,
  type RefusalReason,
  settings,
  track,
} from '../../analytics/index.ts';

declare const analytics: Analytics;
declare const sync: Analytics<true>;
declare const either: Analytics<boolean>;

interface Order {
  readonly total: number;
}

export function results(): void {
  expectTypeOf(analytics.track('u', 'e')).toEqualTypeOf<CallResult>();
  expectTypeOf(sync.track('u', 'e')).toEqualTypeOf<Promise<CallResult>>();
  expectTypeOf(either.track('u', 'e')).toEqualTypeOf<CallResult | Promise<CallResult>>();
  expectTypeOf(new Analytics('k', { syncMode: true })).toEqualTypeOf<Analytics<true>>();
  expectTypeOf(new Analytics('k', { gzip: true })).toEqualTypeOf<Analytics>();
  expectTypeOf(analytics.flush({ timeoutMs: 1 })).toEqualTypeOf<Promise<FlushReport>>();
  expectTypeOf(analytics.close()).toEqualTypeOf<Promise<CloseReport>>();
  const result = analytics.track('u', 'e');
  if (result.ok) expectTypeOf(result.messageId).toEqualTypeOf<string>();
  else expectTypeOf(result.reason).toEqualTypeOf<RefusalReason | FailureReason>();
  // @ts-expect-error -- whether it was taken has to be asked first
  void result.messageId;
}

export function positions(order: Order): void {
  analytics.identify(7, { plan: 'pro' }, { timestamp: new Date(), integrations: { all: false, Webhooks: true } });
  analytics.track('u', 'e', { ...order }, { context: { ip: '203.0.113.7' }, anonymousId: 7, messageId: 'm' });
  analytics.track('u', 'e', order);
  analytics.page('u', null, 'Pricing', { url: '/' });
  analytics.screen(7, 'Shop');
  analytics.group('u', 7, { seats: 3 });
  analytics.alias('before', 'after', { context: {} });
  // @ts-expect-error -- an event needs its name
  analytics.track('u');
  // @ts-expect-error -- the name of an event is a text
  analytics.track('u', 7);
  // @ts-expect-error -- properties are no list
  analytics.track('u', 'e', [order]);
  // @ts-expect-error -- and no map
  analytics.track('u', 'e', new Map([['a', 1]]));
  // @ts-expect-error -- properties are an object
  analytics.track('u', 'e', 'properties');
  // @ts-expect-error -- alias has no anonymous id
  analytics.alias('before', 'after', { anonymousId: 'a' });
  // @ts-expect-error -- there is no such option of a call
  analytics.track('u', 'e', {}, { timestmap: new Date() });
  // @ts-expect-error -- a number of milliseconds is no timestamp
  analytics.track('u', 'e', {}, { timestamp: 0 });
}

export function objects(): void {
  analytics.track({ userId: 'u', event: 'e', properties: { a: 1 } });
  analytics.group({ anonymousId: 'a', groupId: 7 });
  // @ts-expect-error -- who it was has to be said
  analytics.track({ event: 'e' });
  // @ts-expect-error -- an event needs its name
  analytics.track({ userId: 'u' });
  // @ts-expect-error -- there is no such field
  analytics.identify({ userId: 'u', propertees: {} });
  // @ts-expect-error -- an alias needs both
  analytics.alias({ userId: 'u' });
}

export function listeners(): void {
  analytics.on('delivered', (detail) => expectTypeOf(detail.messageIds).toEqualTypeOf<readonly string[]>());
  analytics.on('failed', ({ error }) => expectTypeOf(error).toEqualTypeOf<AnalyticsError>());
  analytics.on('refused', ({ reason }) => expectTypeOf(reason).toEqualTypeOf<RefusalReason>());
  expectTypeOf(analytics.on('drained', () => {})).toEqualTypeOf<() => void>();
  // @ts-expect-error -- there is no such event
  analytics.on('flush', () => {});
  // @ts-expect-error -- a retry has no status of its own
  analytics.on('retry', ({ status }) => status);
  expectTypeOf(analytics.statistics.dropped).toEqualTypeOf<Readonly<Record<DropReason, number>>>();
}

export function options(): void {
  void new Analytics('k', {
    host: HOSTS.eu,
    logger: console,
    onError(error, items) {
      expectTypeOf(error).toEqualTypeOf<AnalyticsError>();
      expectTypeOf(items).toEqualTypeOf<readonly Message[]>();
    },
  });
  expectTypeOf(HOSTS.us).toEqualTypeOf<'https://api.segment.io'>();
  settings.writeKey = 'k';
  settings.syncMode = true;
  expectTypeOf(track('u', 'e')).toEqualTypeOf<CallResult | Promise<CallResult>>();
  // @ts-expect-error -- a write key is needed
  void new Analytics();
  // @ts-expect-error -- there is no such option
  void new Analytics('k', { flushAt: 20 });
  // @ts-expect-error -- seconds are a number
  void new Analytics('k', { uploadInterval: '1' });
  // @ts-expect-error -- there is no such setting
  settings.flushAt = 20;
}
