import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
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

const MAX_TABS = 60;

/** Goes on with Tab until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const found: string = await page.evaluate(
      "(({ labels, textContent }) => (labels?.[0]?.textContent ?? textContent ?? '').trim())(document.activeElement ?? {})",
    );
    if (found === name) return;
  }
  throw new Error(`${MAX_TABS} tabs did not lead to ${name}`);
}
