import { expect, test } from 'vitest';
import { canBrowse, expectText, openConsole, openSignedIn, signIn, WIDE } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

const SOURCE = '/workspaces/main/sources/shop';

test.skipIf(!canBrowse)('a wrong token is refused beside its field, and not kept', async () => {
  const opened = await openConsole(await startRouter());
  const { page } = opened;
  await page.getByLabel('Access token').fill('not-the-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectText(page, 'the access token is not valid');
  expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
});

test.skipIf(!canBrowse)('a read-only token hides what it cannot do, and shows no secret', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { token = '' } = await router.client.accessTokens.create({ description: 'reader', scopes: 'workspace:read' });
  const opened = await openConsole(router, SOURCE);
  await signIn(opened, token);
  const { page } = opened;
  await expectText(page, 'Warehouse');
  await expectText(page, '[redacted]');
  const buttons = await page.getByRole('button').allInnerTexts();
  expect(buttons.map((text) => text.trim()).filter((text) => text !== '')).toEqual(['Sign out', 'Copy']);
  expect(await page.getByRole('link', { name: /New/ }).count()).toBe(0);
  expect(await page.getByRole('switch', { name: 'Warehouse enabled' }).isDisabled()).toBe(true);
});

test.skipIf(!canBrowse)('a token of a source or a destination alone leads to its page', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  for (const path of [SOURCE, `${SOURCE}/destinations/webhooks`]) {
    const limited = { description: 'team', scopes: 'workspace' as const, resource_names: [path.slice(1)] };
    const { token = '' } = await router.client.accessTokens.create(limited);
    const opened = await openConsole(router);
    await signIn(opened, token);
    await expectText(opened.page, path.slice(1));
    expect(await opened.page.getByLabel('Workspace').inputValue()).toBe('main');
  }
});

test.skipIf(!canBrowse)(
  'a token that is revoked elsewhere ends the session, and the way back leads to the same page',
  async () => {
    const router = await startRouter();
    await connect(router, 'http://127.0.0.1:9/hook');
    const made = await router.client.accessTokens.create({ description: 'other', scopes: 'workspace' });
    const opened = await openConsole(router, SOURCE, { ...WIDE, hasOwnClock: true });
    await signIn(opened, made.token);
    const { page } = opened;
    await expectText(page, 'Waiting for the first event');
    await router.client.accessTokens.delete(made.name);
    // Past the next read of the page, and not as far as the deadline of that read.
    await page.clock.runFor('00:31');
    await expectText(page, 'The token is no longer valid');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await signIn(opened);
    await expectText(page, 'Waiting for the first event');
  },
);

test.skipIf(!canBrowse)('a write key is rotated: both are valid until the old one is removed', async () => {
  const router = await startRouter();
  const old = await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, SOURCE);
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Make a new key' }).click();
  await expect.poll(() => page.locator('.keys code').count()).toBe(2);
  const keys = await page.locator('.keys code').allInnerTexts();
  for (const key of keys) await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await page.getByRole('button', { name: `Remove write key ${keys.indexOf(old) + 1}` }).click();
  await page.getByRole('button', { name: 'Remove key' }).click();
  await expect.poll(() => page.locator('.keys code').allInnerTexts()).toEqual(keys.filter((key) => key !== old));
  await expect(router.send(old, { userId: 'ada', event: 'Order Completed' })).rejects.toThrow('refused');
});
