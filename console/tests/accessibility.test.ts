import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { faultsInViews, faultsOf } from './support/axe.ts';
import { canBrowse, openConsole, openSignedIn, signIn, type View } from './support/browser.ts';
import { connect, startRouter, type TestRouter } from './support/router.ts';

const SCREENS = [
  '',
  '/sources',
  '/new-source',
  '/sources/shop',
  '/sources/shop/live',
  '/sources/shop/schema',
  '/plans',
  '/sources/shop/new-destination',
  '/destinations',
  '/sources/shop/destinations/webhooks',
  '/deliveries?source=shop&destination=webhooks',
  '/sources/shop/destinations/webhooks/deliveries/1',
  '/audiences',
  '/new-audience',
  '/computed-traits',
  '/new-computed-trait',
  '/profile?user=ada',
  '/privacy',
  '/access',
  '/access/audit',
  '/access/quota',
  '/system',
];

const VIEWS: readonly View[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
];

const PLAN = {
  display_name: 'Shop',
  rules: {
    events: [{ name: 'Signed Up', version: 1, rules: { properties: { properties: { properties: { plan: {} } } } } }],
  },
};

/** A name that has no place to break. */
const LONG = 'x'.repeat(200);

/** Answers that a screen may wait for before it shows anything of its own. */
const MAX_ANSWERS = 4;

test.skipIf(!canBrowse)(
  'no screen has a serious fault, nor is wider than the window, nor waits for many requests',
  async () => {
    const { router, names } = await fullRouter();
    const opened = await openConsole(router);
    const { page } = opened;
    const faults = await faultsInViews(page, 'sign-in', VIEWS);
    await signIn(opened);
    for (const screen of [...SCREENS, ...names.map((name) => name.slice('workspaces/main'.length))]) {
      const url = `${router.url}/console/workspaces/main${screen}`;
      if (!(await hasContentAfter(page, url, MAX_ANSWERS))) {
        faults.push(`${screen}: nothing to see after ${MAX_ANSWERS} answers`);
      }
      faults.push(...(await faultsInViews(page, screen, VIEWS)));
    }
    expect(faults).toEqual([]);
  },
);

/** Something of everything, and the names of what was made with a name of its own. */
async function fullRouter(): Promise<{ readonly router: TestRouter; readonly names: readonly string[] }> {
  const router = await startRouter('--rate-limit=0');
  const receiver = await createReceiver({ secret: 's3cret', script: '200,400' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`, LONG);
  await router.client.destinations.create({
    name: 'workspaces/main/sources/shop/destinations/webhooks-long',
    display_name: LONG,
  });
  for (const event of ['Order Completed', 'Signed Up']) await router.send(key, { userId: 'ada', event });
  await router.send(key, { event: 'Nobody' });
  const plan = await router.client.trackingPlans.create('workspaces/main', PLAN);
  const { audience, trait } = await addAudiences(router);
  await router.send(key, { userId: 'ada', event: 'Order Completed', properties: { total: 120 } });
  await expect.poll(() => sizeAfterSync(router, audience)).toBe(1);
  const planPage = plan.name.replace('/tracking-plans/', '/plans/');
  return { router, names: [planPage, audience, trait, `${audience}/member?user=ada`] };
}

test('a screen that waits for more answers than it may is found', async ({ skip }) => {
  skip(!canBrowse);
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/');
  expect(await hasContentAfter(page, `${router.url}/console/workspaces/main`, 0, 500)).toBe(false);
  await page.getByRole('heading', { level: 1 }).waitFor();
});

async function addAudiences({ client }: TestRouter): Promise<{ audience: string; trait: string }> {
  const where = 'event = "Order Completed"';
  const spent = { events: { where, sum: { of: 'properties.total', gte: 100 }, window: { within: '30d' } } };
  const definition = { any: [spent, { not: { any: [{ trait: 'plan', is: { exists: true } }, { not: spent }] } }] };
  const audience = await client.audiences.create('workspaces/main', { display_name: 'Big spenders', definition });
  const counter = { display_name: 'Orders', definition: { counter: { where } } };
  const trait = await client.computedTraits.create('workspaces/main', counter);
  return { audience: audience.name, trait: trait.name };
}

async function sizeAfterSync({ client }: TestRouter, name: string): Promise<number | undefined> {
  await client.audiences.sync(name);
  return (await client.audiences.get(name)).size;
}

test('a fault is found', async ({ skip }) => {
  skip(!canBrowse);
  const { page } = await openConsole(await startRouter());
  await page.getByLabel('Access token').waitFor();
  await page.evaluate("document.querySelector('label').remove()");
  expect((await faultsOf(page, 'sign-in')).join()).toContain('label');
});

test('a fault of one view is found in it alone', async ({ skip }) => {
  skip(!canBrowse);
  const { page } = await openConsole(await startRouter());
  await page.getByLabel('Access token').waitFor();
  await page.evaluate(`Object.assign(document.querySelector('label').style, { color: '#000', minWidth: '500px' })`);
  const faults = await faultsInViews(page, 'sign-in', VIEWS);
  expect(faults.every((fault) => fault.startsWith('sign-in dark 390: '))).toBe(true);
  expect(faults.join()).toMatch(/color-contrast[^]* px wider/);
});

/** Whether the screen shows its heading while the router's answers but the first few are held back. */
async function hasContentAfter(page: Page, url: string, answers: number, withinMs = 60_000): Promise<boolean> {
  const released = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/v1beta/**', async (route) => {
    asked += 1;
    if (asked > answers) await released.promise;
    await route.continue();
  });
  await page.goto(url);
  const heading = page.getByRole('heading', { level: 1 });
  const isShown = await heading.waitFor({ timeout: withinMs }).then(
    () => true,
    () => false,
  );
  released.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  return isShown;
}
