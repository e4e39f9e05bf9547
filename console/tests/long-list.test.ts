import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { canBrowse, expectText, openSignedIn } from './support/browser.ts';
import { storeDeliveries } from './support/many-deliveries.ts';
import { connect, startRouter } from './support/router.ts';

const COUNT = 50_000;
/** What is near a window of 900 pixels; on a phone or a wide screen it is no more than some times as much. */
const MOST_ROWS = 250;
const MOST_GROWTH = 30_000_000;

test.skipIf(!canBrowse)(
  'fifty thousand deliveries are scrolled to the last, and found, in bounded memory',
  async () => {
    const router = await startRouter('--rate-limit=0');
    await connect(router, 'http://127.0.0.1:9/hook');
    await router.restart(async (folder) =>
      storeDeliveries(folder, 'workspaces/main/sources/shop/destinations/webhooks', COUNT),
    );
    const { page, complaints } = await openSignedIn(
      router,
      '/workspaces/main/deliveries?source=shop&destination=webhooks',
    );
    await expectText(page, `Order ${COUNT}`);
    const before = await heapOf(page);

    await page.getByLabel('State').selectOption('failed');
    await expect.poll(() => page.getByRole('row', { name: /Delivered/ }).count()).toBe(0);
    expect(await scrollTo(page, 'Order 100')).toBeLessThanOrEqual(MOST_ROWS);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(COUNT / 100 + 1));

    await page.getByLabel('State').selectOption('');
    await page.evaluate('scrollTo(0, 0)');
    await expectText(page, `Order ${COUNT - 1}`);
    expect(await scrollTo(page, 'Order 1')).toBeLessThanOrEqual(MOST_ROWS);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    const last = page.getByRole('row').last();
    expect(await last.getAttribute('aria-rowindex')).toBe(String(COUNT + 1));
    // What has left the window is forgotten a moment later.
    await expect.poll(async () => (await heapOf(page)) - before).toBeLessThan(MOST_GROWTH);

    // Way back into the middle, which was forgotten meanwhile.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    await expectText(page, /Order 2\d{4}/);
    await page.evaluate('scrollTo(0, 0)');
    await expectText(page, `Order ${COUNT}`);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(!canBrowse)(
  'whoever goes back from a delivery is where they were, and whoever comes anew begins at the top',
  async () => {
    const router = await startRouter('--rate-limit=0');
    await connect(router, 'http://127.0.0.1:9/hook');
    await router.restart(async (folder) =>
      storeDeliveries(folder, 'workspaces/main/sources/shop/destinations/webhooks', 3_000),
    );
    const list = '/workspaces/main/deliveries?source=shop&destination=webhooks&hours=24';
    const { page, complaints } = await openSignedIn(router, list);
    await expectText(page, 'Order 3000');
    await scrollTo(page, 'Order 1');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    const row = page.getByRole('link', { name: 'Order 1500', exact: true });
    await row.scrollIntoViewIfNeeded();
    const seenAt = await restOf(row);
    await row.click();
    await page.getByRole('heading', { level: 1 }).getByText('Order 1500').waitFor();
    await page.goBack();
    await expect.poll(() => row.count()).toBe(1);
    await expect.poll(() => topOf(row)).toBe(seenAt);

    await page.locator('aside.side').getByRole('link', { name: 'Overview' }).click();
    await page.locator('aside.side').getByRole('link', { name: 'Deliveries' }).click();
    await expectText(page, 'Order 3000');
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(complaints).toEqual([]);
  },
);

/** Where it stands in the window, in whole pixels. */
async function topOf(row: Locator): Promise<number> {
  const box = await row.boundingBox();
  return Math.round(box?.y ?? Number.NaN);
}

/** Where it stands once it does so twice in a row. */
async function restOf(row: Locator): Promise<number> {
  let last = Number.NaN;
  const isAtRest = async (): Promise<boolean> => {
    const before = last;
    last = await topOf(row);
    return last === before;
  };
  await expect.poll(isAtRest).toBe(true);
  return last;
}

/** Scrolls down until the row is there, however long a busy machine takes; answers the most rows that had elements on the way. */
async function scrollTo(page: Page, event: string): Promise<number> {
  const row = page.getByRole('link', { name: event, exact: true });
  let most = 0;
  do {
    const rows: number = await page.evaluate(`new Promise((seen) => {
      scrollTo(0, document.documentElement.scrollHeight);
      requestAnimationFrame(() => seen(document.querySelectorAll('main table tr').length));
    })`);
    most = Math.max(most, rows);
  } while ((await row.count()) === 0);
  return most;
}

/** Bytes that scripts hold, without what nobody refers to. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
