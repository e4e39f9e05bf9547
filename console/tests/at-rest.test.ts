import type { Page, Request } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, openSignedIn, WIDE } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

const MINUTES = 2;
const PER_MINUTE = 10;
const STEP_S = 5;

/** With how often they ask at least: a page that stands still would pass as well. */
const SCREENS: readonly [screen: string, least: number][] = [
  ['/audiences', 1],
  ['/new-audience', 0],
  ['/computed-traits', 1],
  ['', 1],
  ['/sources', 0],
  ['/sources/shop', 1],
  ['/sources/idle', 1],
  ['/sources/shop/live', 0],
  ['/sources/shop/schema', 1],
  ['/sources/shop/destinations/webhooks', 1],
  ['/deliveries?source=shop&destination=webhooks', 1],
  ['/privacy', 1],
  ['/access', 1],
  ['/access/audit', 1],
  ['/access/quota', 1],
  ['/system', 1],
];

test.skipIf(!canBrowse)('a page at rest asks at most ten times a minute, whichever it is', async () => {
  const router = await startRouter('--rate-limit=0');
  const receiver = await createReceiver({ secret: 's3cret' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  await router.client.sources.create({ name: 'workspaces/main/sources/idle' });
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  const definition = { trait: 'plan', is: { eq: 'pro' } };
  const audience = await router.client.audiences.create('workspaces/main', { display_name: 'Pro', definition });
  await expect.poll(async () => (await router.client.audiences.get(audience.name)).state).toBe('LIVE');
  const screens: typeof SCREENS = [...SCREENS, [audience.name.slice('workspaces/main'.length), 1]];
  const { page } = await openSignedIn(router, '/workspaces/main', { ...WIDE, hasOwnClock: true });
  const { asked, settled } = watch(page);
  const perMinute: Record<string, number> = {};
  const faults: string[] = [];
  for (const [screen, least] of screens) {
    await page.goto(`${router.url}/console/workspaces/main${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled();
    const before = asked();
    const begin = await minutesOf(page);
    for (let second = 0; second < MINUTES * 60; second += STEP_S) {
      await page.clock.runFor(STEP_S * 1_000);
      await settled();
    }
    // Its clock goes on by itself as well.
    perMinute[screen] = (asked() - before) / ((await minutesOf(page)) - begin);
    if (perMinute[screen] > PER_MINUTE || asked() - before < least) faults.push(screen);
  }
  expect(faults, JSON.stringify(perMinute)).toEqual([]);
});

/** By the clock of the page. */
async function minutesOf(page: Page): Promise<number> {
  const now: number = await page.evaluate('Date.now()');
  return now / 60_000;
}

/** Answers what was asked for so far, and how to wait until all of it is answered. */
function watch(page: Page): { asked: () => number; settled: () => Promise<void> } {
  let asked = 0;
  const open = new Set<Request>();
  page.on('request', (request) => {
    asked += 1;
    // A stream is asked for once, and stays open.
    if (!request.url().endsWith(':stream')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const settled = async (): Promise<void> => {
    await expect.poll(() => open.size, { interval: 5 }).toBe(0);
  };
  return { asked: () => asked, settled };
}
