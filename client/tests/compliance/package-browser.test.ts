import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { type Route, startRoute, typesOf } from '../../../server/tests/support/ingestion-route.ts';
import { LIBRARY } from '../../analytics/library.ts';
import { canBrowse, openPage, siteWith } from '../support/browser.ts';
import { exampleWith, htmlExample, runnable, withOwn } from '../support/docs-examples.ts';
import { packedClient } from '../support/packed-client.ts';
import { bundleProgram } from '../support/package-bundle.ts';
import { newConsumer } from '../support/package-consumer.ts';

const consumer = newConsumer();
afterAll(() => consumer[Symbol.dispose]());

/** The page's own code: it knows nothing of the test, but what `start` is given. */
const PROGRAM = `
import { Analytics } from '@waybill/client/analytics';
import { flushOnHide, pageStore } from '@waybill/client/analytics/browser';
import { sign, verify } from '@waybill/client/webhooks';

globalThis.app = {
  start(writeKey, options, flushes = true) {
    globalThis.analytics = new Analytics(writeKey, options);
    if (flushes) flushOnHide(analytics);
  },
  stored(writeKey, options, aheadMs = 0) {
    const after = (ms, run) => clearTimeout.bind(null, setTimeout(run, ms));
    const clock = { now: () => Date.now() + aheadMs, after };
    this.start(writeKey, { ...options, clock, store: pageStore({ writeKey, clock }) });
    return analytics.statistics.queued + analytics.statistics.inFlight;
  },
  async sixCalls() {
    analytics.identify('user-42', { plan: 'pro' });
    analytics.track('user-42', 'Größe', { total: 42.5 });
    analytics.page('user-42', 'Docs', 'Pricing', { url: location.href });
    analytics.screen('user-42', null, 'Cart');
    analytics.group('user-42', 'g', { seats: 3 });
    analytics.alias('visitor', 'user-42');
    return analytics.close();
  },
  async signs() {
    const signature = await sign('s3cret', '{}');
    const valid = (secret) => verify({ body: '{}', signature, secret });
    return [await valid('s3cret'), await valid('another')];
  },
};
`;

const { code } = await bundleProgram(consumer.folder, PROGRAM);

const SIX = ['alias', 'group', 'identify', 'page', 'screen', 'track'];

async function openApp({ host, writeKey }: Route, options: object = {}, flushes = true) {
  const opened = await openPage(siteWith(code));
  const args = JSON.stringify([writeKey, { host, ...options }, flushes]).slice(1, -1);
  await opened.page.evaluate(`app.start(${args})`);
  return opened;
}

const sixCalls = (page: Page): Promise<unknown> => page.evaluate('app.sixCalls()');

test.runIf(canBrowse).each([{}, { gzip: true }, { uploadSize: 1, maxInFlight: 3 }])(
  'the packed tarball in Chromium reaches a verified webhook on another host, given %j',
  async (options) => {
    const route = await startRoute();
    const { page, complaints } = await openApp(route, options);
    expect(await sixCalls(page)).toEqual({ timedOut: false, delivered: 6, unsent: [] });
    const received = await route.delivered(6);
    expect(typesOf(received)).toEqual(SIX);
    for (const { event } of received) expect(event).toMatchObject({ context: { library: LIBRARY } });
    expect(complaints).toEqual([]);
  },
);

test.runIf(canBrowse)('in Chromium nothing is lost over 429, 503 and a cut connection', async () => {
  const route = await startRoute('overload', 'unavailable', 'cut');
  const { page } = await openApp(route);
  expect(await sixCalls(page)).toEqual({ timedOut: false, delivered: 6, unsent: [] });
  expect(typesOf(await route.delivered(6))).toEqual(SIX);
  expect(route.faultsLeft()).toEqual([]);
});

test.runIf(canBrowse).each([{}, { gzip: true }])(
  'flushOnHide: what is queued leaves with the page, given %j',
  async (options) => {
    const route = await startRoute();
    const { page } = await openApp(route, { ...options, uploadInterval: 3600 });
    await page.evaluate("for (let n = 0; n < 50; n += 1) analytics.track('user-42', 'Left', { n })");
    expect(await page.evaluate('analytics.statistics.requests')).toBe(0);
    await page.goto('about:blank');
    expect(typesOf(await route.delivered(50))).toEqual(Array(50).fill('track'));
  },
);

test.runIf(canBrowse)('without flushOnHide it does not leave', async () => {
  const route = await startRoute();
  const { page } = await openApp(route, { uploadInterval: 3600 }, false);
  await page.evaluate("analytics.track('user-42', 'Left')");
  await page.goto('about:blank');
  // A second page that does flush shows that the way is open, and that the first message is not on it.
  const other = await openApp(route);
  expect(await sixCalls(other.page)).toMatchObject({ delivered: 6 });
  expect(typesOf(await route.delivered(6))).toEqual(SIX);
});

/** Starts a client with a store in another page of the site, and tells how many messages it found there. */
async function storedIn(page: Page, { host, writeKey }: Route, aheadMs = 0): Promise<unknown> {
  return page.evaluate(`app.stored(${JSON.stringify([writeKey, { host }, aheadMs]).slice(1, -1)})`);
}

/** So long after a page ended others send what it had under way. */
const UNANSWERED_MS = 15_000;

async function nextPage(before: Page): Promise<Page> {
  const page = await before.context().newPage();
  await page.goto(before.url());
  return page;
}

test.runIf(canBrowse)('with pageStore, what a page could not send is sent by the next, once each', async () => {
  const route = await startRoute();
  const { page } = await openPage(siteWith(code));
  const [beside, next] = [await nextPage(page), await nextPage(page)];
  await storedIn(page, { ...route, host: 'http://127.0.0.1:1' });
  await page.evaluate("for (let n = 0; n < 20; n += 1) analytics.track('user-42', 'Left', { n })");
  expect(await storedIn(beside, route)).toBe(0);
  await page.close({ runBeforeUnload: true });
  expect(await storedIn(next, route, UNANSWERED_MS)).toBe(20);
  expect(await next.evaluate('analytics.close()')).toMatchObject({ delivered: 20, unsent: [] });
  const received = await route.delivered(20);
  const all = Array.from({ length: 20 }, (_one, n) => expect.objectContaining({ properties: { n } }));
  expect(received.map(({ event }) => event)).toEqual(expect.arrayContaining(all));
  expect(received).toHaveLength(20);
  // The receiver has them before the page has its answer.
  await expect.poll(() => beside.evaluate('localStorage.length')).toBe(0);
});

test.runIf(canBrowse)(
  'with pageStore, what leaves with a page is sent again, but not by the next at once',
  async () => {
    const route = await startRoute();
    const { page } = await openPage(siteWith(code));
    await storedIn(page, route);
    await page.evaluate("analytics.track('user-42', 'Left')");
    await page.goto(page.url());
    expect(typesOf(await route.delivered(1))).toEqual(['track']);
    // Its clock is behind, so that a busy machine is not too late.
    expect(await storedIn(page, route, -100_000)).toBe(0);
    expect(await storedIn(page, route, UNANSWERED_MS)).toBe(1);
    expect(await page.evaluate('analytics.close()')).toMatchObject({ delivered: 1 });
    expect(await page.evaluate('localStorage.length')).toBe(0);
  },
);

test.runIf(canBrowse)('with pageStore, the calls of a page that crashed are sent by one that comes later', async () => {
  const route = await startRoute();
  const { page } = await openPage(siteWith(code));
  const later = await nextPage(page);
  await storedIn(page, { ...route, host: 'http://127.0.0.1:1' });
  await page.evaluate("analytics.track('user-42', 'Left')");
  const crashed = page.waitForEvent('crash');
  await Promise.all([crashed, page.goto('chrome://crash').catch(() => undefined)]);
  expect(await storedIn(later, route)).toBe(0);
  expect(await storedIn(later, route, 180_000)).toBe(1);
  expect(typesOf(await route.delivered(1))).toEqual(['track']);
});

test.runIf(canBrowse)('with pageStore, a page whose storage is full or closed sends as without', async () => {
  const route = await startRoute();
  const { page } = await openPage(siteWith(code));
  await page.evaluate(
    "for (let n = 16; n >= 0; n -= 1) try { localStorage.setItem(`x${n}`, 'x'.repeat(2 ** n * 40)); } catch {}",
  );
  await storedIn(page, route);
  expect(await sixCalls(page)).toEqual({ timedOut: false, delivered: 6, unsent: [] });
  await page.evaluate(
    "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
  );
  await storedIn(page, route);
  expect(await sixCalls(page)).toEqual({ timedOut: false, delivered: 6, unsent: [] });
  expect(typesOf(await route.delivered(12))).toEqual([...SIX, ...SIX].toSorted());
});

test.runIf(canBrowse)('the webhook kit signs and verifies in a page', async () => {
  const { page } = await openPage(siteWith(code));
  expect(await page.evaluate('app.signs()')).toEqual([true, false]);
});

test.runIf(canBrowse)('the example of the browser page delivers, also when the page is left at once', async () => {
  const route = await startRoute();
  const own = { 'https://router.example': route.host, YOUR_WRITE_KEY: route.writeKey };
  const example = await bundleProgram(consumer.folder, runnable(exampleWith('browser', 'analytics.page('), own));
  const { page, complaints } = await openPage(siteWith(example.code));
  await page.goto('about:blank');
  const [received] = await route.delivered(1);
  expect(received?.event).toMatchObject({
    type: 'page',
    name: 'Shop',
    properties: { url: expect.stringMatching(/^http/) },
  });
  expect(complaints).toEqual([]);
});

test.runIf(canBrowse)(
  'the files of the package work in a page without a bundler, as the browser page shows',
  async () => {
    const route = await startRoute();
    const own = { 'https://router.example': route.host, YOUR_WRITE_KEY: route.writeKey };
    const html = withOwn(htmlExample(), own);
    const { complaints } = await openPage((path) => (path === '/' ? html : packagedFile(path)));
    const [received] = await route.delivered(1);
    expect(received?.event).toMatchObject({ type: 'track', event: 'Viewed', anonymousId: 'session-7' });
    expect(complaints).toEqual([]);
  },
);

/** What a server that has the package at `/waybill/` serves. */
function packagedFile(path: string): string | undefined {
  const file = path.startsWith('/waybill/') ? join(packedClient().unpacked, path.slice('/waybill/'.length)) : '';
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
