import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventsOf, plannedOf, withEvent, withoutEvent } from '../src/plans/rules.ts';
import { canBrowse, expectText, openSignedIn } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

test.skipIf(!canBrowse)('a plan is made as a form, connected, and what differs is found and blocked', async () => {
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/plans');
  await page.getByRole('button', { name: 'New tracking plan' }).click();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create plan' }).click();

  await page.getByRole('button', { name: 'Add an event' }).click();
  await page.getByLabel('Name of event 1').fill('Order Completed');
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Property of Order Completed').fill('total');
  await page.getByLabel('Type of total', { exact: true }).selectOption('number');
  await page.getByLabel('Required').check();
  // On its way it is the name of the other one.
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Property of Order Completed').last().pressSequentially('total_net');
  await expect.poll(() => page.getByLabel('Type of total', { exact: true }).inputValue()).toBe('number');
  expect(await page.getByLabel('Property of Order Completed').last().inputValue()).toBe('total_net');
  await page.getByRole('button', { name: 'Save rules' }).click();
  // The button is disabled as soon as it is pressed.
  const planned = async (): Promise<unknown[]> => {
    const plans = await Array.fromAsync(router.client.trackingPlans.list('workspaces/main'));
    return plans.flatMap(({ rules }) => eventsOf(rules).map(({ name }) => name));
  };
  await expect.poll(planned).toEqual(['Order Completed']);
  await expect.poll(() => page.getByRole('button', { name: 'Save rules' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('link', { name: 'shop' }).click();

  await expectText(page, 'No violations');
  await router.send(key, { userId: 'ada', event: 'Order Completed', properties: { total: 'much' } });
  await page.reload();
  await expect.poll(() => page.getByRole('row', { name: /properties\.total/ }).innerText()).toContain('Allowed');
  await page.getByRole('switch', { name: 'Events that violate their rule' }).click();
  await expect.poll(() => page.getByRole('switch', { name: 'Events that violate' }).isChecked()).toBe(false);
  await router.send(key, { userId: 'ada', event: 'Order Completed', properties: {} });
  await page.reload();
  await expectText(page, 'Blocked');
  expect(complaints).toEqual([]);
});

async function addEvent(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add an event' }).click();
  await page
    .getByLabel(/^Name of event/)
    .last()
    .fill(name);
  await page.getByRole('button', { name: 'Save rules' }).click();
}

async function lookAgain(page: Page): Promise<void> {
  await page.evaluate("void dispatchEvent(new Event('visibilitychange'))");
}

test.skipIf(!canBrowse)(
  'of two people who edit one plan, nobody undoes what the other saved without a word',
  async () => {
    const router = await startRouter('--rate-limit=0');
    const plan = await router.client.trackingPlans.create('workspaces/main', {
      display_name: 'P',
      rules: { events: [] },
    });
    const path = `/${plan.name.replace('tracking-plans', 'plans')}`;
    const [{ page: mine }, { page: theirs }] = [await openSignedIn(router, path), await openSignedIn(router, path)];
    const planned = async (): Promise<string[]> =>
      eventsOf((await router.client.trackingPlans.get(plan.name)).rules).map(({ name }) => name);
    await addEvent(theirs, 'Of them');
    await expect.poll(planned).toEqual(['Of them']);
    await addEvent(mine, 'Of mine');
    await expectText(mine, 'Nothing was saved');
    await expectText(mine, 'Somebody else has changed this since you began');
    await mine.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => mine.getByLabel('Name of event 1').inputValue()).toBe('Of them');
    await addEvent(mine, 'Of mine');
    await expect.poll(planned).toEqual(['Of them', 'Of mine']);
    // Who has changed nothing sees the rest, here on coming back to the tab.
    await expect.poll(() => lookAgain(theirs).then(() => theirs.getByLabel('Name of event 2').count())).toBe(1);
    expect(await theirs.getByText('Somebody else').count()).toBe(0);
  },
);

test.skipIf(!canBrowse)(
  'of two people who rotate write keys or edit URLs, nobody takes away what the other added',
  async () => {
    const router = await startRouter('--rate-limit=0');
    const key = await connect(router, 'http://127.0.0.1:9/hook');
    const path = '/workspaces/main/sources/shop';
    const [{ page: mine }, { page: theirs }] = [await openSignedIn(router, path), await openSignedIn(router, path)];
    const keys = async (): Promise<readonly string[]> => (await router.client.sources.get(path.slice(1))).write_keys;
    for (const [page, count] of [
      [theirs, 2],
      [mine, 3],
    ] as const) {
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Make a new key' }).click();
      await expect.poll(keys).toHaveLength(count);
      await expect.poll(() => page.locator('.secret').count()).toBe(count);
    }
    expect(await keys()).toContain(key);

    for (const page of [mine, theirs]) {
      await page.getByRole('link', { name: 'Warehouse' }).click();
      await page.getByRole('button', { name: 'Edit URLs' }).click();
      await page.getByRole('button', { name: 'Add another URL' }).click();
    }
    await theirs.getByLabel('URL 2', { exact: true }).fill('http://127.0.0.1:9/theirs');
    await theirs.getByRole('button', { name: 'Save', exact: true }).click();
    await expectText(theirs, 'http://127.0.0.1:9/theirs');
    await mine.getByLabel('URL 2', { exact: true }).fill('http://127.0.0.1:9/mine');
    await mine.getByRole('button', { name: 'Save', exact: true }).click();
    await expectText(mine, 'Nothing was saved');
    await mine.getByRole('button', { name: 'Cancel' }).click();
    await expectText(mine, 'http://127.0.0.1:9/theirs');
  },
);

test('the form changes what it shows, and keeps the rest of the rules', () => {
  const rules = {
    global: { type: 'object' },
    events: [
      {
        name: 'Order Completed',
        version: 3,
        description: 'kept',
        rules: {
          $schema: 'kept',
          properties: {
            context: { type: 'object' },
            properties: { properties: { total: { type: 'number', minimum: 0 }, note: { type: ['string', 'null'] } } },
          },
        },
      },
    ],
  };
  const [event] = eventsOf(rules);
  expect(event?.properties).toEqual([
    { name: 'total', type: 'number', isRequired: false, schema: { minimum: 0 } },
    { name: 'note', type: '', isRequired: false, schema: { type: ['string', 'null'] } },
  ]);
  const [total, note] = event?.properties ?? [];
  if (total === undefined || note === undefined) throw new Error('a property is missing');
  const properties = [{ ...total, name: 'sum', type: 'integer', isRequired: true }, note];
  const changed = withEvent(rules, 0, { name: 'Order Paid', properties });
  expect(changed).toMatchObject({
    global: { type: 'object' },
    events: [
      {
        name: 'Order Paid',
        version: 3,
        description: 'kept',
        rules: {
          $schema: 'kept',
          properties: {
            context: { type: 'object' },
            properties: {
              properties: { sum: { type: 'integer', minimum: 0 }, note: { type: ['string', 'null'] } },
              required: ['sum'],
            },
          },
        },
      },
    ],
  });
  expect(eventsOf(withoutEvent(changed, 0))).toEqual([]);
});

test('rules hold the properties that have a name of their own', () => {
  const rows = [named('total', 'number'), named('', 'string'), named('total', 'string'), named('note', 'string')];
  expect(plannedOf(rows)).toEqual([rows[0], rows[3]]);
});

function named(name: string, type: string) {
  return { name, type, isRequired: false, schema: {} };
}
