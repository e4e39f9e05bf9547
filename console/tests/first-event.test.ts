import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, expectText, openConsole, signIn } from './support/browser.ts';
import { startRouter } from './support/router.ts';

test.skipIf(!canBrowse)('from an empty router to the first delivered event by clicking alone', async () => {
  const router = await startRouter();
  const opened = await openConsole(router);
  const { page, complaints } = opened;
  await signIn(opened);

  await expectText(page, 'Send the first event in two minutes');
  await page.getByRole('link', { name: 'New source' }).first().click();
  await page.getByRole('radio', { name: /Node\.js/ }).check();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create source' }).click();

  await expectText(page, 'Waiting for the first event');
  await expectText(page, `host: '${router.url}'`);
  await page.getByRole('link', { name: 'New destination' }).click();
  // The page before shows a write key in the same way.
  await page.getByLabel('URL', { exact: true }).waitFor();
  const secret = await page.locator('.secret code').innerText();
  const receiver = await createReceiver({ secret });
  onTestFinished(() => receiver.close());
  await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/hook`);
  await page.getByRole('button', { name: 'Create destination' }).click();

  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expectText(page, 'Receiving');
  await receiver.waitFor({ count: 1, within: '60s' });
  expect(receiver.received[0]?.signature.verdict).toBe('valid');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: 'Test event' }).click();
  await expectText(page, 'Delivered');
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('an id that is taken is told beside its field, and nothing typed is lost', async () => {
  const router = await startRouter();
  await router.client.sources.create({ name: 'workspaces/main/sources/shop' });
  const opened = await openConsole(router);
  const { page } = opened;
  await signIn(opened);
  await page.getByRole('link', { name: 'Sources' }).click();
  await page.getByRole('link', { name: 'New source' }).click();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expectText(page, 'already exists');
  expect(await page.getByLabel('Id', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Name').inputValue()).toBe('Shop');
});

test.skipIf(!canBrowse)(
  'a destination is called by those that are there, and not made before they are known',
  async () => {
    const router = await startRouter();
    await router.client.sources.create({ name: 'workspaces/main/sources/shop' });
    const opened = await openConsole(router, '/workspaces/main/sources/shop/new-destination');
    const { page } = opened;
    const released = Promise.withResolvers<void>();
    await page.route(/\/destinations\?/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await signIn(opened);
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/hook');
    const create = page.getByRole('button', { name: 'Create destination' });
    expect(await create.isDisabled()).toBe(true);
    released.resolve();
    await expect.poll(() => page.getByLabel('Id', { exact: true }).inputValue()).toBe('webhooks');
    expect(await create.isEnabled()).toBe(true);
  },
);
