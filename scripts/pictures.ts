/**
 * `npm run console:pictures`: what each screen of the console looks like, in both themes, on a phone and on a wide window,
 * with a router that has much to show and with an empty one. Into `console/pictures/`, which is not committed; arguments
 * choose screens by their names, and `--readme` writes those of the README anew.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { startWaybill } from '../server/app.ts';
import { createProcessLog } from '../server/operations/log/process-log.ts';
import { readSettings } from '../server/settings/settings.ts';
import { launchBrowser } from './chromium.ts';
import { ROOT } from './generate/outputs.ts';
import { takeWorlds } from './pictures/worlds.ts';
import { fill, sendTo, type World } from './pictures/world.ts';

const FOLDER = join(ROOT, 'console/pictures');
const TOKEN = 'pictures-of-the-console-0123456789';
const SHOP = '/sources/shop';

const SCREENS: Readonly<Record<string, string>> = {
  overview: '',
  sources: '/sources',
  'new-source': '/new-source',
  source: SHOP,
  live: `${SHOP}/live`,
  notices: '/sources/notices',
  schema: `${SHOP}/schema`,
  'new-destination': `${SHOP}/new-destination`,
  destinations: '/destinations',
  destination: `${SHOP}/destinations/webhooks`,
  deliveries: '/deliveries?source=app&destination=webhooks',
  delivery: '/deliveries?source=app&destination=webhooks&state=failed',
  plans: '/plans',
  audiences: '/audiences',
  'new-audience': '/new-audience',
  audience: '/audiences',
  member: '/audiences',
  'computed-traits': '/computed-traits',
  'new-computed-trait': '/new-computed-trait',
  'computed-trait': '/computed-traits',
  profile: '/profile?user=grace',
  privacy: '/privacy',
  access: '/access',
  audit: '/access/audit',
  system: '/system',
};

/** What an empty router has no screen for. */
const NEEDS_WORLD = /^\/sources\/|source=|user=/;

/** Known by no address, but by the rows that lead there. */
const ROWS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  delivery: [/./],
  audience: ['Big spenders'],
  member: ['Big spenders', 'grace'],
  'computed-trait': ['Total spent'],
};

interface View {
  readonly world: 'full' | 'empty';
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly folder: string;
  readonly screens: readonly string[];
  /** Of the README: what a window shows, made smaller. */
  readonly isSmall?: boolean;
}

const chosen = process.argv.slice(2).filter((name) => name !== '--readme');
const views = process.argv.includes('--readme') ? viewsOfReadme() : allViews();
await using opened = new AsyncDisposableStack();
const browser = await launchBrowser();
opened.defer(() => browser.close());
for (const [world, ofWorld] of Object.entries(Object.groupBy(views, (view) => view.world))) {
  const router = await startRouter();
  if (world === 'full') await fill(router, opened);
  for (const view of ofWorld ?? []) await take(router, view);
}
if (chosen.length === 0 && !process.argv.includes('--readme')) await takeWorlds(browser, join(FOLDER, 'worlds'));
console.log(`pictures written to ${[...new Set(views.map(({ folder }) => dirname(dirname(folder))))].join(', ')}`);

function allViews(): View[] {
  rmSync(FOLDER, { recursive: true, force: true });
  const screens = chosen.length === 0 ? Object.keys(SCREENS) : chosen;
  return (['full', 'empty'] as const).flatMap((world) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      [1440, 390].map((width) => ({
        world,
        theme,
        width,
        screens,
        folder: join(FOLDER, world, `${theme}-${width}`),
      })),
    ),
  );
}

function viewsOfReadme(): View[] {
  const view = { world: 'full', width: 1200, folder: join(ROOT, 'docs/pictures'), isSmall: true } as const;
  return [
    { ...view, theme: 'light', screens: ['overview', 'delivery'] },
    { ...view, theme: 'dark', screens: ['live'] },
  ];
}

async function startRouter(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-pictures-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const flags = [
    '--port=0',
    `--data-dir=${folder}`,
    `--token=${TOKEN}`,
    '--allow-networks=127.0.0.0/8',
    '--rate-limit=0',
  ];
  const router = await startWaybill(readSettings(flags, {}), createProcessLog('silent', false));
  opened.defer(() => router.stop());
  return { url: router.url, token: TOKEN };
}

async function take(router: World, { world, theme, width, folder, screens, isSmall = false }: View): Promise<void> {
  const viewport = { width, height: width < 600 ? 844 : Math.round(width * 0.6) };
  const context = await browser.newContext({ viewport, colorScheme: theme, deviceScaleFactor: isSmall ? 0.6 : 1 });
  const page = await context.newPage();
  mkdirSync(folder, { recursive: true });
  const picture = async (name: string): Promise<void> => {
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: !isSmall });
  };
  await page.goto(`${router.url}/console/`);
  await page.getByLabel('Access token').waitFor();
  if (!isSmall) await picture('sign-in');
  await page.getByLabel('Access token').fill(router.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('aside.side').waitFor();
  for (const name of screens) {
    const path = SCREENS[name];
    if (path === undefined) throw new Error(`${name} is no screen; choose of ${Object.keys(SCREENS).join(', ')}`);
    if (world === 'empty' && (NEEDS_WORLD.test(path) || ROWS[name] !== undefined)) continue;
    await page.goto(`${router.url}/console/workspaces/main${path}`);
    for (const row of ROWS[name] ?? [])
      await page.getByRole('row').getByRole('link', { name: row, exact: true }).first().click();
    await shown(page, name, router);
    await picture(name);
  }
  await context.close();
}

/** Waits until the screen has what it shows. */
async function shown(page: Page, name: string, router: World): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
  if (name !== 'live') return;
  await page.getByText('Live', { exact: true }).waitFor();
  await sendTo(router, 'shop', 9);
  await page.locator('.live summary').first().click();
}
