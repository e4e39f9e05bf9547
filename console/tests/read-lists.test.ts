import { expect, test } from 'vitest';
import { canBrowse, expectText, openSignedIn } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

test.skipIf(!canBrowse)(
  'whoever goes back to the audit has as many changes before them as they had, and whoever comes anew the first',
  async () => {
    const router = await startRouter('--rate-limit=0');
    await connect(router, 'http://127.0.0.1:9/hook');
    for (let version = 1; version <= 60; version += 1)
      await router.client.sources.update('workspaces/main/sources/shop', { labels: { version: String(version) } });
    const { page, complaints } = await openSignedIn(router, '/workspaces/main/access/audit');
    const changes = page.getByRole('row').filter({ hasText: 'Update source' });
    await expect.poll(() => changes.count()).toBe(50);
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await expect.poll(() => changes.count()).toBe(60);
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Sources').waitFor();
    await page.goBack();
    await expect.poll(() => changes.count()).toBe(60);
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await expect.poll(() => changes.count()).toBe(50);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(!canBrowse)('who filters the audit types on, and a link that asks for all empties the field', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/access/audit');
  const field = page.getByRole('searchbox', { name: 'Resource' });
  await field.pressSequentially('workspaces/main/sources/none');
  await expectText(page, 'No change matches');
  await page.keyboard.type('-at-all');
  await expect.poll(() => new URL(page.url()).searchParams.get('resource')).toBe('workspaces/main/sources/none-at-all');
  expect(await field.inputValue()).toBe('workspaces/main/sources/none-at-all');
  await page.getByRole('link', { name: 'Show all changes' }).click();
  await page.getByRole('row').filter({ hasText: 'Create source' }).first().waitFor();
  expect(await field.inputValue()).toBe('');
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('whoever goes back from a member has as many members before them as they had', async () => {
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  await router.client.audiences.create('workspaces/main', {
    display_name: 'Buyers',
    definition: { events: { where: 'event = "Bought"', count: { gte: 1 } } },
    destinations: [],
  });
  for (let user = 10; user < 40; user += 1) await router.send(key, { userId: `user-${user}`, event: 'Bought' });
  const [{ name } = { name: '' }] = await Array.fromAsync(router.client.audiences.list('workspaces/main'));
  const { page, complaints } = await openSignedIn(router, `/${name}`);
  const members = page.getByRole('table', { name: 'Members' }).getByRole('link');
  await page.getByRole('button', { name: 'Sync now' }).click();
  await expect.poll(() => members.count()).toBe(10);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => members.count()).toBe(30);
  await page.getByRole('link', { name: 'user-35' }).click();
  await expectText(page, 'Is a member');
  await page.goBack();
  await expect.poll(() => members.count()).toBe(30);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('a long list is shown in parts, and searched whole', async () => {
  const router = await startRouter('--rate-limit=0');
  const numbers = Array.from({ length: 201 }, (_, index) => index + 1);
  await Promise.all(numbers.map((id) => router.client.sources.create({ name: `workspaces/main/sources/s${id}` })));
  const { page } = await openSignedIn(router, '/workspaces/main/sources');
  const sources = page.getByRole('table', { name: 'Sources' }).getByRole('link');
  await expect.poll(() => sources.count()).toBe(200);
  await page.getByRole('searchbox').fill('s201');
  await expect.poll(() => sources.allInnerTexts()).toEqual(['s201']);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: '200 of 201 are shown' }).click();
  await expect.poll(() => sources.count()).toBe(201);
});

test.skipIf(!canBrowse)('what a view does not know of its address is left out', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/deliveries?hours=soon&state=lost');
  await expectText(page, 'No deliveries yet');
  await page.goto(`${router.url}/console/workspaces/main/access/audit?hours=soon`);
  await page.getByRole('row').filter({ hasText: 'Create source' }).first().waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('who has to wait is told for how long, at once', async () => {
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/workspaces/main/sources');
  await expectText(page, 'No sources yet');
  const headers = { 'Retry-After': '59', 'Content-Type': 'application/json' };
  await page.route('**/v1beta/**', (route) =>
    route.fulfill({ status: 429, headers, body: '{"error":"too many requests","code":8}' }),
  );
  await page.getByRole('link', { name: 'Access' }).click();
  await expectText(page, 'Try again in 59 s.');
  // Also who knows nothing yet.
  await page.reload();
  await expect.poll(() => page.locator('body').innerText()).toContain('Try again in 59 s.');
  await page.unroute('**/v1beta/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectText(page, 'the first token');
});

test.skipIf(!canBrowse)('a page whose router has gone says so, and follows it again once it is back', async () => {
  const router = await startRouter();
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, '/workspaces/main/sources/shop');
  await expectText(page, 'Waiting for the first event');
  await router.restart(() => expectText(page, 'Not up to date: the router tells of no events now'));
  await expect.poll(() => page.locator('main').innerText(), { timeout: 60_000 }).not.toContain('Not up to date');
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await expectText(page, 'Order Completed');
});

test.skipIf(!canBrowse)('two destinations of one name are told apart wherever they are listed', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const second = 'workspaces/main/sources/shop/destinations/webhooks-b2';
  await router.client.destinations.create({ name: second, display_name: 'Warehouse' });
  const { page, complaints } = await openSignedIn(router, '/workspaces/main');
  for (const path of ['', '/destinations', '/sources/shop', '/deliveries', '/new-audience']) {
    await page.goto(`${router.url}/console/workspaces/main${path}`);
    await expectText(page, 'webhooks-b2');
  }
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('each list is read in one request, also where a page of it would be ten rows', async () => {
  const router = await startRouter('--rate-limit=0');
  await connect(router, 'http://127.0.0.1:9/hook');
  for (let at = 0; at < 25; at += 1) await router.client.workspaces.create({ name: `workspaces/tenant-${at}` });
  for (let at = 0; at < 101; at += 1)
    await router.client.accessTokens.create({ description: `service ${at}`, scopes: 'workspace:read' });
  const { page, complaints } = await openSignedIn(router, '/workspaces/main/access');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.reload();
  await expect.poll(() => page.getByLabel('Workspace', { exact: true }).locator('option').count()).toBe(26);
  await expect.poll(() => page.getByRole('button', { name: 'Revoke service 100' }).count()).toBe(1);
  const times = (path: string): number => asked.filter((one) => one === `/v1beta/${path}`).length;
  expect([times('workspaces'), times('access-tokens')]).toEqual([1, 1]);
  expect(complaints).toEqual([]);
});
