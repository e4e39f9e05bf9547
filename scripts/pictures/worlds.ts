import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { WORLDS, type WorldName } from '../../console/mock/world-names.ts';
import { serveMock } from '../console/serve-mock.ts';

const SHOP = '/sources/shop';

/** What differs from world to world. */
const SCREENS: Readonly<Record<string, string>> = {
  overview: '',
  destinations: '/destinations',
  destination: `${SHOP}/destinations/webhooks`,
  deliveries: '/deliveries?source=shop&destination=webhooks',
};

/** Besides, what has more to show than elsewhere. */
const MORE: Readonly<Record<WorldName, Readonly<Record<string, string>>>> = {
  healthy: { sources: '/sources', audiences: '/audiences', plans: '/plans', audit: '/access/audit', system: '/system' },
  failing: {
    'billing-destination': '/sources/billing/destinations/webhooks',
    'hostile-source': '/sources/hostile',
    'hostile-destination': '/sources/hostile/destinations/webhooks',
    'hostile-deliveries': '/deliveries?source=hostile&destination=webhooks',
    'billing-deliveries': '/deliveries?source=billing&destination=webhooks',
  },
  'open-circuit': {
    'open-destination': '/sources/billing/destinations/webhooks',
    'open-deliveries': '/deliveries?source=billing&destination=webhooks&state=pending',
  },
  backlog: {},
  empty: {},
};

/** Screens of each world of the mock, in both themes, on a phone and on a wide window. */
export async function takeWorlds(browser: Browser, folder: string): Promise<void> {
  await using mock = await serveMock(0);
  for (const world of WORLDS) {
    const screens = world === 'empty' ? { overview: '' } : { ...SCREENS, ...MORE[world] };
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1440, 390]) {
        const into = join(folder, world, `${colorScheme}-${width}`);
        mkdirSync(into, { recursive: true });
        const context = await browser.newContext({ viewport: { width, height: width < 600 ? 844 : 900 }, colorScheme });
        const page = await context.newPage();
        await page.goto(`${mock.url}/console/?world=${world}`);
        await shown(page);
        for (const [name, path] of Object.entries(screens)) {
          await go(page, `/console/workspaces/main${path}`);
          await page.screenshot({ path: join(into, `${name}.png`), fullPage: true });
        }
        await context.close();
      }
    }
  }
}

/** Within the page, as the world is made anew with each load. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.waitForTimeout(300);
  await shown(page);
}

async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}
