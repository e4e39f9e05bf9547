import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../testbed/index.ts';
import { canBrowse, expectText, openSignedIn } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

/** At one in a second there is time to cancel, also on a busy machine. */
const FAILED = 40;
const DELIVERIES = '/workspaces/main/deliveries?source=shop&destination=webhooks';

test.skipIf(!canBrowse)('why a delivery failed is read, and it is replayed', async () => {
  const router = await startRouter();
  const receiver = await createReceiver({ secret: 's3cret', script: '400,200' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  await router.send(key, { userId: 'ada', event: 'Order Completed' });

  const { page, complaints } = await openSignedIn(router, DELIVERIES);
  await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).innerText()).toContain('Failed');
  await page.getByLabel('State').selectOption('delivered');
  await expectText(page, 'No delivery matches');
  await page.getByLabel('State').selectOption('failed');
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('failed');
  await page.getByRole('link', { name: 'Order Completed' }).click();

  await expectText(page, 'HTTP 400');
  await expectText(page, /permanent failure/i);
  await page.getByRole('button', { name: 'Replay' }).click();
  await expectText(page, 'HTTP 200');
  await expectText(page, 'Round 2');
  expect(receiver.received).toHaveLength(2);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Warehouse/ }).innerText()).toContain('Failing');
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('a temporary failure says when it is tried again', async () => {
  const router = await startRouter();
  const receiver = await createReceiver({ secret: 's3cret', script: '503' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  const { page } = await openSignedIn(router, DELIVERIES);
  await page.getByRole('link', { name: 'Order Completed' }).click();
  await expectText(page, /Next try: in \d+ sec|Next try: due/);
  await expectText(page, 'The next try was set for');
  expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
});

test.skipIf(!canBrowse)(
  'deliveries are counted, sent again in bulk, and the progress is seen; a slow one is cancelled',
  async () => {
    const router = await startRouter();
    const receiver = await createReceiver({ secret: 's3cret', script: `400x${FAILED},200` });
    onTestFinished(() => receiver.close());
    const key = await connect(router, `${receiver.url}/hook`);
    for (let index = 0; index < FAILED; index += 1) await router.send(key, { userId: 'ada', event: 'Order Completed' });
    const { page } = await openSignedIn(router, `${DELIVERIES}&state=failed`);
    await expect.poll(() => page.getByRole('row', { name: /Order Completed/ }).count()).toBe(FAILED);

    await page.getByRole('button', { name: 'Replay these' }).click();
    await page.getByRole('button', { name: 'Only count' }).click();
    await expectText(page, `${FAILED} of ${FAILED}`);
    await page.getByRole('button', { name: 'Replay these' }).click();
    await page.getByLabel('Deliveries in a second').fill('1');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: /^Cancel replay/ }).click();
    await expect.poll(() => page.getByRole('row', { name: /sent again/ }).innerText()).toContain('Cancelled');

    await page.getByRole('button', { name: 'Replay these' }).click();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expectText(page, 'No delivery matches');
    await expect.poll(() => page.getByRole('row', { name: /Finished.*sent again/ }).count()).toBe(1);
  },
);

test.skipIf(!canBrowse)('what others wrote is shown as text, wherever it stands', async () => {
  const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  const router = await startRouter();
  const receiver = await createReceiver({ script: [{ status: 400, body: hostile }] });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook?q=<script>`, hostile);
  await router.send(key, { userId: hostile, event: hostile, messageId: hostile });
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/sources');
  await page.getByRole('link', { name: hostile }).click();
  await expectText(page, 'Receiving');
  await page.goto(`${router.url}/console${DELIVERIES}`);
  await page.getByRole('link', { name: hostile }).click();
  await expectText(page, 'HTTP 400');
  await expect.poll(() => page.locator('pre').innerText()).toContain('alert(2)');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(complaints).toEqual([]);
});
