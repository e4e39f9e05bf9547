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
