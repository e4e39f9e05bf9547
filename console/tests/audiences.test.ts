import { expect, onTestFinished, test } from 'vitest';
import { createReceiver, textOf } from '../../testbed/index.ts';
import { canBrowse, expectText, openConsole, openSignedIn, signIn } from './support/browser.ts';
import { connect, startRouter } from './support/router.ts';

const AUDIENCES = '/workspaces/main/audiences';
const DEFINITION = { events: { where: 'event = "Order Completed"', sum: { of: 'properties.total', gte: 100 } } };

test.skipIf(!canBrowse)(
  'an audience is built by clicking, its first sync is seen, and why a user is in it',
  async () => {
    const router = await startRouter();
    const receiver = await createReceiver({ secret: 's3cret' });
    onTestFinished(() => receiver.close());
    const key = await connect(router, `${receiver.url}/hook`);
    const { page, complaints } = await openSignedIn(router, AUDIENCES);
    await expectText(page, 'No audiences yet');
    await page.getByRole('link', { name: 'New audience' }).first().click();
    await page.getByLabel('Name').fill('Big spenders');
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Events where').fill('event = ');
    await expect.poll(() => condition.getByRole('alert').innerText()).toContain('Column 9');
    expect(await condition.getByLabel('Events where').getAttribute('aria-invalid')).toBe('true');
    await condition.getByLabel('Events where').fill('event = "Order Completed"');
    await condition.getByLabel('What counts').selectOption('Sum');
    await condition.getByLabel('Value').fill('100');
    await expect.poll(() => page.getByRole('status', { name: 'Preview' }).innerText()).toContain('0 users match now');
    await page.getByLabel(/Warehouse/).check();
    await page.getByRole('button', { name: 'Create audience' }).click();

    await expect.poll(() => page.getByRole('row', { name: /^1 / }).innerText()).toContain('Done');
    await router.send(key, { userId: 'ada', event: 'Order Completed', properties: { total: 120 } });
    await router.send(key, { userId: 'grace', event: 'Order Completed', properties: { total: 20 } });
    await page.getByRole('button', { name: 'Sync now' }).click();
    // Of two users evaluated one has entered, and a call was sent.
    await expect.poll(() => page.getByRole('row', { name: /^2 .* Done 2 1 0 1 0 [01] 0/ }).count()).toBe(1);
    await page.getByRole('row').getByRole('link', { name: 'ada', exact: true }).click();
    await expectText(page, 'Is a member');
    await expectText(page, /120\s+– holds when it is at least 100/);
    const told = () => receiver.received.find((received) => textOf(received, 'type') === 'identify')?.event;
    await expect.poll(told).toMatchObject({ userId: 'ada', traits: { big_spenders: true } });
    await expectText(page, 'events of the last 30 days');
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  },
);

test.skipIf(!canBrowse)('groups nest, and the API’s word on JSON stands with its line', async () => {
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/workspaces/main/new-audience');
  await page.getByLabel('Name').fill('Quiet');
  await page.getByRole('button', { name: 'Add a group' }).click();
  await page.getByLabel('Kind of group 2').selectOption('None of these holds');
  await page.getByRole('button', { name: 'Add a condition to group 2' }).click();
  await page.getByLabel('Kind of condition 2.2').selectOption('Trait');
  await page.getByRole('group', { name: 'Condition 2.2' }).getByLabel('Value').fill('"3"');
  await page.getByRole('button', { name: 'Remove condition 2.1' }).click();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  const text = await page.getByLabel('Definition as JSON').inputValue();
  expect(JSON.parse(text)).toMatchObject({ all: [{}, { not: { any: [{ trait: 'plan', is: { eq: '3' } }] } }] });
  await page.getByLabel('Definition as JSON').fill(text.replace('"eq"', '"like"'));
  await expectText(page, /Line 1\d, definition\.all\[1\]\.not\.any\[0\]\.is\.like is unknown/);
  await page.getByLabel('Definition as JSON').fill(text);
  await page.getByRole('button', { name: 'Create audience' }).click();
  await expect.poll(() => page.getByLabel('Kind of group 2').inputValue()).toBe('none');
});

test.skipIf(!canBrowse)('an explanation names the audience that it refers to, which is renamed', async () => {
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { audiences } = router.client;
  const { name: spenders } = await audiences.create('workspaces/main', {
    display_name: 'Big spenders',
    definition: DEFINITION,
  });
  const definition = { not: { member_of: spenders } };
  const { name } = await audiences.create('workspaces/main', { display_name: 'Others', definition });
  await router.send(key, { userId: 'ada', event: 'Order Completed', properties: { total: 120 } });
  const { page } = await openSignedIn(router, `/${spenders}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Best customers');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Best customers');
  await page.goto(`${router.url}/console/${name}/member?user=ada`);
  await expectText(page, /Member of Best customers/);
});

test.skipIf(!canBrowse)('a computed trait is made, changed, and deleted with the keyboard', async () => {
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/workspaces/main/new-computed-trait');
  await page.getByLabel('Name').fill('Favourites');
  await page.getByLabel('Value of each user').selectOption('List of different values');
  await page.getByLabel('Of the field').fill('properties.genre');
  await page.getByLabel('When').selectOption('Between');
  await page.getByLabel('Name').press('Enter');
  await page.getByRole('button', { name: 'Sync now' }).waitFor();
  const [made] = await Array.fromAsync(router.client.computedTraits.list('workspaces/main'));
  const events = { where: 'event = "Order Completed"', window: { between: ['30d', '90d'] } };
  expect(made?.definition).toEqual({ unique_list: { ...events, of: 'properties.genre' } });
  await page.getByLabel('Of the field').fill('properties.');
  await page.getByLabel('Of the field').press('Enter');
  await page.getByRole('button', { name: 'Save definition' }).press('Enter');
  await expectText(page, /Column \d+/);
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('button', { name: 'Delete computed trait' }).press('Enter');
  await expectText(page, 'No computed traits yet');
});

test.skipIf(!canBrowse)('a profile is found, and deleted; a user without one is told so', async () => {
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const audience = { display_name: 'Big spenders', definition: DEFINITION };
  const { name } = await router.client.audiences.create('workspaces/main', audience);
  await router.send(key, { userId: '17', anonymousId: 'device', event: 'Order Completed', properties: { total: 120 } });
  const size = async (): Promise<number | undefined> => {
    await router.client.audiences.sync(name);
    return (await router.client.audiences.get(name)).size;
  };
  await expect.poll(size, { interval: 500 }).toBe(1);
  const { page } = await openSignedIn(router, '/workspaces/main/privacy');
  await page.getByLabel('User id', { exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Show profile' }).click();
  await expectText(page, 'No profile of this user');
  await page.getByLabel('User id', { exact: true }).fill('17');
  await page.getByRole('button', { name: 'Show profile' }).click();
  await expectText(page, 'device');
  await expect.poll(() => page.getByRole('link', { name: 'big_spenders' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await expectText(page, 'Delete internal');
  await expect(router.client.profiles.get('workspaces/main', '17')).rejects.toMatchObject({ kind: 'NotFound' });
});

test.skipIf(!canBrowse)('whatever a user is called, its address leads to it, and all of it is text', async () => {
  const hostile = '../a/b?c=1#d%20e<script>alert(1)</script>';
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const definition = { events: { where: 'all' } };
  const audience = { display_name: `Anybody ${hostile}`, definition };
  const { name } = await router.client.audiences.create('workspaces/main', audience);
  const ids = [hostile, '0017', 'true'];
  for (const userId of ids) await router.send(key, { userId, event: 'Seen', properties: {} });
  const size = async (): Promise<number | undefined> => {
    await router.client.audiences.sync(name);
    return (await router.client.audiences.get(name)).size;
  };
  await expect.poll(size, { interval: 500 }).toBe(ids.length);
  const { page, complaints } = await openSignedIn(router, `/${name}`);
  for (const id of ids) {
    await page.goto(`${router.url}/console/${name}`);
    await page.getByRole('row').getByRole('link', { name: id, exact: true }).click();
    await expectText(page, 'Is a member');
    await page.getByRole('link', { name: 'Profile' }).click();
    await expectText(page, 'Destinations are told');
    await page.reload();
    await expectText(page, 'Destinations are told');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(id);
  }
  expect(await page.locator('main script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('with a read-only token an audience is looked at, and not changed', async () => {
  const router = await startRouter();
  const audience = { display_name: 'Big spenders', definition: DEFINITION };
  const { name } = await router.client.audiences.create('workspaces/main', audience);
  const { token = '' } = await router.client.accessTokens.create({ description: 'reader', scopes: 'workspace:read' });
  const opened = await openConsole(router, `/${name}`);
  await signIn(opened, token);
  const { page } = opened;
  await expectText(page, 'Definition');
  const buttons = await page.getByRole('button').allInnerTexts();
  const named = buttons.map((text) => text.trim()).filter((text) => text !== '');
  expect(named).toEqual(['Sign out', 'Explain', 'Edit as JSON']);
  expect(await page.getByLabel('Events where').isDisabled()).toBe(true);
  expect(await page.getByRole('switch', { name: 'Big spenders enabled' }).isDisabled()).toBe(true);
});
