import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { WORLDS } from '../../console/mock/world-names.ts';
import { serveMock } from '../console/serve-mock.ts';

/** The first screen of each world of the mock, in both themes. */
export async function takeWorlds(browser: Browser, folder: string): Promise<void> {
  await using mock = await serveMock(0);
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const world of WORLDS) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
      const page = await context.newPage();
      await page.goto(`${mock.url}/console/?world=${world}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
      await page.screenshot({ path: join(folder, `${world}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
  }
}
