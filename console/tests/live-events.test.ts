import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, expectText, openSignedIn, WIDE } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

const SOURCE = '/workspaces/main/sources/shop';

test.skipIf(!canBrowse)('events are seen as they come, found, paused, and lead to their deliveries', async () => {
  const router = await startRouter();
  const receiver = await createReceiver({ secret: 's3cret' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  const { page, complaints } = await openSignedIn(router, `${SOURCE}/live`);
  await expectText(page, 'Waiting for events');
  await expectText(page, 'Live');
  await router.send(key, { userId: 'ada', event: 'Order Completed', properties: { total: 42 } });
  await router.send(key, { userId: 'grace', event: 'Signed Up' });
  const rows = page.locator('.live > li');
  await expect.poll(() => rows.count()).toBe(2);

  await page.getByRole('button', { name: 'Pause' }).click();
  await router.send(key, { userId: 'ada', event: 'Page Closed' });
  await expectText(page, '1 more since it was paused');
  expect(await rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => rows.count()).toBe(3);

  await page.getByLabel('Filter events').fill('"total":42');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.locator('summary').click();
  await expect.poll(() => page.locator('pre').innerText()).toContain('"total": 42');
  await page.getByRole('link', { name: 'webhooks' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('a page that waits for the first event shows it without a further request', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, SOURCE);
  await expectText(page, 'Waiting for the first event');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await expectText(page, 'Receiving');
  await expectText(page, 'Order Completed');
  expect(asked.filter((url) => url.endsWith('/accepted-events'))).toEqual([]);
});

test.skipIf(!canBrowse)('a router that is restarted under an open page is heard again', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, `${SOURCE}/live`, { ...WIDE, hasOwnClock: true });
  await expectText(page, 'Waiting for events');
  await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(1);
  await router.restart(() => expectText(page, 'Interrupted'));
  const isLive = async (): Promise<boolean> => {
    await page.clock.runFor(5_000);
    return (await page.getByText('Live', { exact: true }).count()) === 1;
  };
  await expect.poll(isLive, { interval: 200 }).toBe(true);
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await expectText(page, 'Order Completed');
});
