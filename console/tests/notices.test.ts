import { expect, test } from 'vitest';
import type { Notice } from '../../client/webhooks/index.ts';
import { canBrowse, expectText, openSignedIn } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

/** Those of the contract: the compiler knows when there is another. */
const KINDS: Readonly<Record<Notice['event'], true>> = {
  'destination.parked': true,
  'destination.recovered': true,
  'deliveries.given_up': true,
  'secret.expiring': true,
  'audience.failed': true,
};

const NOTICES = 'workspaces/main/sources/notices';

test.skipIf(!canBrowse)('a source of notices says what they are, and asks nobody to send events to it', async () => {
  const router = await startRouter();
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/new-source');
  await page.getByRole('radio', { name: /Ruby/ }).check();
  expect(await page.locator('main').innerText()).not.toContain('Nothing sends events to this source');
  await page.getByRole('radio', { name: /Waybill notices/ }).check();
  await expectText(page, 'Nothing sends events to this source');
  await expectText(page, 'Its write keys are refused');
  await page.getByLabel('Name').fill('Notices');
  await page.getByRole('button', { name: 'Create source' }).click();

  await expectText(page, 'No notice is stored before there is a webhook');
  const kinds = page.getByRole('table', { name: 'Kinds of notices' });
  expect(await kinds.locator('tbody tr td:first-child').allInnerTexts()).toEqual(Object.keys(KINDS));
  const said = await page.locator('main').innerText();
  for (const words of ['Waiting for the first event', 'Send a test event', 'Send events', 'Write keys'])
    expect(said).not.toContain(words);
  expect(await page.getByLabel('SDK').count()).toBe(0);

  await page.getByRole('link', { name: 'New destination' }).click();
  await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/told');
  await page.getByRole('button', { name: 'Create destination' }).click();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
  const destinations = await Array.fromAsync(router.client.destinations.list(NOTICES));
  expect(destinations).toMatchObject([{ enabled: true, deliverable: true }]);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('what the console says of the write keys of a source of notices is so', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const call = { userId: 'ada', event: 'Order Completed' };
  await router.send(key, call);
  const catalog_name = 'catalog/sources/waybill-notices';
  const { write_keys } = await router.client.sources.create({ name: NOTICES, catalog_name });
  await expect(router.send(write_keys[0] ?? '', call)).rejects.toThrow('the call was refused');
});
