import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, expectText, openConsole, openSignedIn, signIn, WIDE } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

const SOURCE = '/workspaces/main/sources/shop';

test.skipIf(!canBrowse)('events are seen as they come, found, paused, and lead to their deliveries', async () => {
  const router = await startRouter();
  const receiver = await createReceiver({ secret: 's3cret' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  const { page, complaints } = await openSignedIn(router, `${SOURCE}/live`);
  await expectText(page, 'Waiting for events');
  await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(1);
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
  const opened = await openConsole(router, SOURCE);
  const { page } = opened;
  await Promise.all([page.waitForResponse('**/accepted-events:stream'), signIn(opened)]);
  await expectText(page, 'Waiting for the first event');
  // Never answered.
  await page.route('**/accepted-events', () => {});
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).count()).toBe(1);
});

test.skipIf(!canBrowse)('a stream that is slow is not waited for, and what came before it is shown', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const opened = await openConsole(router, SOURCE, { ...WIDE, hasOwnClock: true });
  const { page } = opened;
  const released = Promise.withResolvers<void>();
  await page.route('**/accepted-events:stream', async (route) => {
    await released.promise;
    await route.continue();
  });
  await signIn(opened);
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.clock.runFor(3_000);
  await expectText(page, 'Waiting for the first event');
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  released.resolve();
  await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).count()).toBe(1);
});

test.skipIf(!canBrowse)('an event that is heard while the page is read is shown', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const opened = await openConsole(router, SOURCE);
  const { page } = opened;
  const stream = router.client.acceptedEvents.watch(SOURCE.slice(1))[Symbol.asyncIterator]();
  await stream.next();
  await page.route('**/accepted-events', async (route) => {
    const response = await route.fetch();
    await router.send(key, { userId: 'ada', event: 'Order Completed' });
    await stream.next();
    await route.fulfill({ response });
  });
  await signIn(opened);
  await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).count()).toBe(1);
  await stream.return?.();
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
