import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { canBrowse } from '../../../client/tests/support/browser.ts';
import { openShop } from '../support/ingestion-browser.ts';
import { type Route, startRoute, typesOf } from '../support/ingestion-route.ts';

/** The library as the page holds it. */
interface Library {
  readonly AnalyticsBrowser: {
    load(settings: object, options?: object): { [call: string]: (...args: unknown[]) => Promise<unknown> };
  };
}

const STRATEGIES = [
  ['standard', undefined],
  ['batching', { strategy: 'batching', config: { size: 4, timeout: 500 } }],
] as const;
const SIX = ['alias', 'group', 'identify', 'page', 'screen', 'track'];

/** Makes the six calls in the page, as a snippet does that knows one host and one key. */
async function makeCalls(page: Page, { host, writeKey }: Route, deliveryStrategy: object | undefined): Promise<void> {
  await page.evaluate(
    async ({ cdnURL, key, integration }) => {
      // The library's script puts it there.
      const { AnalyticsBrowser }: Library = Reflect.get(globalThis, 'AnalyticsNext');
      const settings = { writeKey: key, cdnURL };
      const analytics = AnalyticsBrowser.load(settings, { integrations: { 'Segment.io': integration } });
      await Promise.all([
        analytics['page']?.('Pricing'),
        analytics['identify']?.('u', { plan: 'pro' }),
        analytics['track']?.('Order Completed', { total: 42.5 }),
        analytics['screen']?.('Cart'),
        analytics['group']?.('g', { seats: 3 }),
        analytics['alias']?.('u2', 'u'),
      ]);
    },
    { cdnURL: host, key: writeKey, integration: deliveryStrategy === undefined ? {} : { deliveryStrategy } },
  );
}

test.runIf(canBrowse).each(STRATEGIES)(
  'ING-4: analytics-next in Chromium reaches a webhook in %s mode',
  async (_mode, strategy) => {
    const route = await startRoute();
    await makeCalls(await openShop(), route, strategy);
    const received = await route.delivered(6);
    expect(typesOf(received)).toEqual(SIX);
    for (const { event } of received) {
      expect(event).toMatchObject({ context: { ip: '127.0.0.1', library: { name: 'analytics.js' } } });
    }
  },
);

test.runIf(canBrowse).each(STRATEGIES)(
  'ING-10: analytics-next in %s mode loses nothing over 429, 503 and a cut connection',
  async (_mode, strategy) => {
    const route = await startRoute('overload', 'unavailable', 'cut');
    const page = await openShop();
    await makeCalls(page, route, strategy);
    expect(typesOf(await route.delivered(6))).toEqual(SIX);
    expect(route.faultsLeft()).toEqual([]);
  },
);
