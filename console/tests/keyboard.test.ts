import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, expectText, openConsole } from './support/browser.ts';
import { connect, startRouter, TOKEN } from './support/router.ts';

test.skipIf(!canBrowse)('with the keyboard alone: sign in, create a source, find it, close a dialog', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page, complaints } = await openConsole(router);
  await page.getByLabel('Access token').waitFor();
  await page.keyboard.type(TOKEN);
  await page.keyboard.press('Enter');
  await expectText(page, 'Overview');

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expectText(page, 'Where events come from');
  await tabTo(page, 'New source');
  await page.keyboard.press('Enter');
  await expectText(page, 'Choose what will send events');
  await tabTo(page, 'Name');
  await page.keyboard.type('Billing');
  await page.keyboard.press('Enter');
  await expectText(page, 'Waiting for the first event');

  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Delete source');
  await page.keyboard.press('Enter');
  await expectText(page, 'Where events come from');
  await expect.poll(() => page.getByRole('row', { name: /Billing/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)(
  'with the keyboard alone: find why a delivery failed, replay it, and rotate the secret',
  async () => {
    const router = await startRouter();
    const receiver = await createReceiver({ secret: 's3cret', script: '400,200' });
    onTestFinished(() => receiver.close());
    const key = await connect(router, `${receiver.url}/hook`);
    await router.send(key, { userId: 'ada', event: 'Order Completed' });
    const { page, complaints } = await openConsole(router);
    await signInByKeys(page);
    await expect.poll(() => page.getByRole('link', { name: 'Failed deliveries' }).count()).toBe(1);
    await tabTo(page, 'Failed deliveries');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Order Completed' }).waitFor();
    await tabTo(page, 'Order Completed');
    await page.keyboard.press('Enter');
    await expectText(page, /permanent failure/i);
    await tabTo(page, 'Replay');
    await page.keyboard.press('Enter');
    await expectText(page, 'HTTP 200');
    await tabTo(page, 'webhooks');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New secret' }).waitFor();
    await tabTo(page, 'New secret');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Make a new secret');
    await page.keyboard.press('Enter');
    await expectText(page, 'Two secrets are valid');
    expect(complaints).toEqual([]);
  },
);

test.skipIf(!canBrowse)('with the keyboard alone: delete a user, make a token, and revoke it', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page, complaints } = await openConsole(router, '/workspaces/main/privacy');
  await signInByKeys(page);
  await expectText(page, 'No requests yet');
  await tabTo(page, 'New request');
  await page.keyboard.press('Enter');
  await tabTo(page, 'User ids');
  await page.keyboard.type('ada');
  await tabTo(page, 'Delete users');
  await page.keyboard.press('Enter');
  await expectText(page, 'Suppress with delete');
  await tabTo(page, 'Access');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New token' }).waitFor();
  await tabTo(page, 'New token');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Description');
  await page.keyboard.type('Reader');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Done' }).waitFor();
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('row', { name: /Reader/ }).count()).toBe(1);
  await tabTo(page, 'Revoke Reader');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Revoke token');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('row', { name: /Reader/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)(
  'with the keyboard alone: build an audience of two conditions, and see its first sync',
  async () => {
    const router = await startRouter();
    await connect(router, 'http://127.0.0.1:9/hook');
    const { page, complaints } = await openConsole(router, '/workspaces/main/new-audience');
    await signInByKeys(page);
    await tabTo(page, 'Name');
    await page.keyboard.type('Big spenders');
    await tabTo(page, 'Events where');
    await clearField(page);
    await page.keyboard.type('event = "Order Completed"');
    await tabTo(page, 'What counts');
    // One letter is enough, and several would have to come within a second.
    await page.keyboard.press('S');
    await tabTo(page, 'Value');
    await clearField(page);
    await page.keyboard.type('100');
    await tabTo(page, 'Add a condition');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Kind of condition 2');
    await page.keyboard.press('T');
    await tabTo(page, 'Value');
    await page.keyboard.type('"pro"');
    await tabTo(page, 'Create audience');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('row', { name: /^1 / }).innerText()).toContain('Done');
    const [made] = await Array.fromAsync(router.client.audiences.list('workspaces/main'));
    expect(made?.definition).toMatchObject({
      all: [
        { events: { where: 'event = "Order Completed"', sum: { gte: 100 } } },
        { trait: 'plan', is: { eq: 'pro' } },
      ],
    });
    // The preview of what is half typed is refused, and the browser tells of it.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  },
);

async function clearField(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
}

async function signInByKeys(page: Page): Promise<void> {
  await page.getByLabel('Access token').waitFor();
  await page.keyboard.type(TOKEN);
  await page.keyboard.press('Enter');
  await page.locator('aside.side').waitFor();
}

const MAX_TABS = 60;
const NAME_OF =
  "({ labels, textContent, ariaLabel }) => (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim()";
/** Of what Tab leads to: while a dialog is open, nothing behind it. */
const NAMES = `Array.from(
  (document.querySelector('dialog[open]') ?? document).querySelectorAll(':is(a, button, input, select, textarea):not(:disabled)'),
  ${NAME_OF},
)`;

/** Goes on with Tab until what has the focus is called so, once it is there. */
async function tabTo(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(NAMES)).toContain(name);
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const found: string = await page.evaluate(`(${NAME_OF})(document.activeElement ?? {})`);
    if (found === name) return;
  }
  throw new Error(`${MAX_TABS} tabs did not lead to ${name}`);
}
