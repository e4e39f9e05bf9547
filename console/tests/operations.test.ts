import { expect, onTestFinished, test } from 'vitest';
import { webhooksConfig } from '../../client/config/index.ts';
import { createReceiver, textOf } from '../../testbed/index.ts';
import { canBrowse, expectText, openConsole, openSignedIn, signIn } from './support/browser.ts';
import { connect, startRouter, TOKEN, type TestRouter } from './support/router.ts';

const DESTINATION = '/workspaces/main/sources/shop/destinations/webhooks';

test.skipIf(!canBrowse)('a filter is tried on an event, made, and holds', async () => {
  const router = await startRouter();
  const receiver = await createReceiver({ secret: 's3cret' });
  onTestFinished(() => receiver.close());
  const key = await connect(router, `${receiver.url}/hook`);
  const { page, complaints } = await openSignedIn(router, DESTINATION);
  await page.getByRole('button', { name: 'New filter' }).click();
  await page.getByLabel('Title').fill('No tests');
  await page.getByLabel('For events where').fill('event = ');
  await page.getByRole('button', { name: 'Create filter' }).click();
  await expect.poll(() => page.getByLabel('For events where').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('For events where').fill('event = "Test event"');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await expectText(page, 'This event would not be sent');
  // A share that nobody wrote would be none.
  await page.getByLabel('Do this').selectOption('sample');
  await page.getByRole('button', { name: 'Create filter' }).click();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.getByLabel('Do this').selectOption('drop');
  await page.getByRole('button', { name: 'Create filter' }).click();
  await expect.poll(() => page.getByRole('row', { name: /No tests/ }).innerText()).toContain('not sent');
  for (const event of ['Test event', 'Order Completed']) await router.send(key, { userId: 'ada', event });
  await receiver.waitFor({ count: 1, within: '60s' });
  expect(receiver.received.map((received) => textOf(received, 'event'))).toEqual(['Order Completed']);
  // The browser tells of the refused filter itself.
  expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
});

test.skipIf(!canBrowse)('a shape is tried on an event, refused with its place, saved, and holds', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, DESTINATION);
  await page.getByRole('button', { name: 'Shape bodies' }).click();
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await expectText(page, '"currency": "EUR"');
  const operations = page.getByLabel('Operations, as JSON');
  await operations.fill('[{ "op": "set", "path": "a", "value": "b =" }]');
  await page.getByRole('button', { name: 'Save shape' }).click();
  await expectText(page, 'column 4');
  await operations.fill('[{ "op": "drop", "paths": ["context"] }]');
  await page.getByRole('button', { name: 'Save shape' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Edit shape' }).count()).toBe(1);
  await expectText(page, '{"op":"drop","paths":["context"]}');
});

test.skipIf(!canBrowse)(
  'a secret is rotated: it is shown once, both sign until the old one is ended or kept',
  async () => {
    const router = await startRouter();
    await connect(router, 'http://127.0.0.1:9/hook');
    const { page } = await openSignedIn(router, DESTINATION);
    const rotate = async (): Promise<string> => {
      await page.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      const made = await page.locator('.secret code').innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      await expectText(page, 'Two secrets are valid');
      return made;
    };
    const made = await rotate();
    await page.getByRole('button', { name: 'End the old secret now' }).click();
    await expect.poll(() => page.locator('main').innerText()).not.toContain('Two secrets are valid');
    expect(await secretOf(router)).toBe(made);
    expect(await rotate()).not.toBe(made);
    await page.getByRole('button', { name: 'Keep the old secret' }).click();
    await expect.poll(() => page.locator('main').innerText()).not.toContain('Two secrets are valid');
    expect(await secretOf(router)).toBe(made);
  },
);

test.skipIf(!canBrowse)(
  'HOOK-22: a destination with a key pair gets another pair, and shows what receivers verify with',
  async () => {
    const router = await startRouter();
    await connect(router, 'http://127.0.0.1:9/hook');
    const name = DESTINATION.slice(1);
    const sharedSecret = `whsk_${Buffer.alloc(32, 1).toString('base64')}`;
    const config = webhooksConfig({ signature: 'standard-webhooks', sharedSecret });
    const { public_keys: before = [] } = await router.client.destinations.update(name, { config });
    const { page } = await openSignedIn(router, DESTINATION);
    await expectText(page, 'Signed with Standard Webhooks');
    await expectText(page, before[0] ?? 'no key');
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await expectText(page, 'A new key pair');
    await page.getByRole('button', { name: 'Done' }).click();
    const { public_keys: after = [] } = await router.client.destinations.get(name);
    expect(after).toHaveLength(2);
    for (const key of after) await expectText(page, key);
  },
);

test.skipIf(!canBrowse)('HOOK-22: the headers of the signature are chosen', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, DESTINATION);
  await expectText(page, 'Signed with X-Signature');
  await page.getByLabel('Headers of the signature').selectOption('both');
  await expectText(page, 'Signed with X-Signature and Standard Webhooks');
  const { config } = await router.client.destinations.get(DESTINATION.slice(1));
  expect(config.find(({ name }) => name.endsWith('/signature'))?.value).toBe('both');
});

async function secretOf({ client }: TestRouter): Promise<unknown> {
  const { config } = await client.destinations.get(DESTINATION.slice(1));
  return config.find(({ name }) => name.endsWith('/sharedSecret'))?.value;
}

test.skipIf(!canBrowse)('what the API refuses stands at the field that it is about, in its own words', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, '/workspaces/main/sources/shop/new-destination');
  const hintOf = async (label: string): Promise<string> => {
    const id = await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
    return page.locator(`[id="${id ?? ''}"]`).innerText();
  };
  const create = page.getByRole('button', { name: 'Create destination' });
  await page.getByLabel('URL', { exact: true }).fill('ftp://a.example');
  await create.click();
  await expect
    .poll(() => hintOf('URL'))
    .toMatch(/^destination\.config\S+\.hook must be a full http or https URL, got "ftp/);
  await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/other');
  await page.getByLabel('Id', { exact: true }).fill('webhooks');
  await create.click();
  await expect.poll(() => hintOf('Id')).toContain('destination already exists');
  expect(await hintOf('URL')).toBe('');
});

test.skipIf(!canBrowse)('limits are set, and what is none is told beside its field', async () => {
  const router = await startRouter('--rate-limit=0');
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, DESTINATION);
  await page.getByLabel('Deliveries in a second').fill('2.5');
  await page.getByLabel('Deliveries in flight').fill('99');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect.poll(() => page.getByLabel('Deliveries in flight').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Deliveries in flight').fill('');
  await page.getByRole('button', { name: 'Save limits' }).click();
  // The button is disabled as soon as it is pressed.
  const limits = async (): Promise<unknown[]> => {
    const { config } = await router.client.destinations.get('workspaces/main/sources/shop/destinations/webhooks');
    return config.filter(({ name, value }) => /\/max[^/]+$/.test(name) && value !== 0).map(({ value }) => value);
  };
  await expect.poll(limits).toEqual([2.5]);
});

test.skipIf(!canBrowse)('a user is deleted and suppressed', async () => {
  const router = await startRouter();
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, '/workspaces/main/privacy');
  await expectText(page, 'No requests yet');
  await page.getByRole('button', { name: 'New request' }).click();
  await page.getByLabel('User ids').fill('ada\n\ngrace');
  await page.getByRole('button', { name: 'Delete users' }).click();
  await expectText(page, 'Suppress with delete');
  await expect.poll(() => page.getByRole('row', { name: /ada|grace/ }).count()).toBe(2);
});

test.skipIf(!canBrowse)('a token is made, shown once, works, and is revoked', async () => {
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/workspaces/main/access');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Description').fill('Reader');
  await page.getByRole('button', { name: 'Make token' }).click();
  const token = await page.locator('.secret code').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const other = await openConsole(router);
  await signIn(other, token);
  await expectText(other.page, 'Overview');
  await page.getByRole('button', { name: 'Revoke Reader' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Reader/ }).count()).toBe(0);
});

test.skipIf(!canBrowse)('a form that was sent cannot be sent again, however soon somebody clicks', async () => {
  const router = await startRouter();
  const { page } = await openSignedIn(router, '/workspaces/main/access');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Description').fill('Reader');
  // Between two clicks of a person all microtasks run, and timers perhaps not.
  const isDisabled = await page.evaluate(`(async (button) => {
    button.click();
    for (let turn = 0; turn < 10; turn += 1) await undefined;
    return button.disabled;
  })(document.querySelector('dialog button[type=submit]'))`);
  expect(isDisabled).toBe(true);
});

test.skipIf(!canBrowse)('who changed what is found by resource, and settings are shown without secrets', async () => {
  const router = await startRouter('--retention=3d');
  await connect(router, 'http://127.0.0.1:9/hook');
  await router.client.destinations.update('workspaces/main/sources/shop/destinations/webhooks', { enabled: false });
  const { page } = await openSignedIn(router, '/workspaces/main/access');
  await page.getByRole('link', { name: 'Audit' }).click();
  const newest = page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1);
  await expect.poll(() => newest.innerText()).toMatch(/Update destination.*enabled/s);
  await page.getByLabel('Resource, and what is below it').fill('workspaces/main/sources/none');
  await expectText(page, 'No change matches');
  await page.getByRole('link', { name: 'Show all changes' }).click();
  await page.getByRole('link', { name: 'sources/shop', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('resource')).toBe('workspaces/main/sources/shop');
  await expect.poll(() => page.getByRole('row', { name: /Create source/ }).count()).toBe(1);
  await page.getByLabel('Changes of').selectOption('Workspaces and tokens');
  await expectText(page, 'No change matches');
  await page.getByRole('link', { name: 'System' }).click();
  await expect.poll(() => page.getByRole('row', { name: /--retention/ }).innerText()).toMatch(/3d.*operator/s);
  expect(await page.getByRole('row', { name: /--token/ }).innerText()).toContain('set, hidden');
  expect(await page.locator('main').innerText()).not.toContain(TOKEN);
});

test.skipIf(!canBrowse)('ING-11: a quota is set, holds, and how much of it was used is shown', async () => {
  const router = await startRouter('--rate-limit=0');
  const key = await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, '/workspaces/main/access');
  await page.getByRole('link', { name: 'Quota' }).click();
  await expectText(page, 'Not counted');
  await page.getByLabel('Events in a day').fill('4');
  await page.getByRole('button', { name: 'Save limits' }).click();
  const quota = () => router.client.quotas.get('workspaces/main/quota');
  await expect.poll(quota).toMatchObject({ events_per_second: 0, events_per_day: 4 });
  await router.send(key, { userId: 'ada', event: 'Order Completed' });
  await expect.poll(quota).toMatchObject({ events_today: 1 });
  await page.reload();
  await expectText(page, '25.0 % of the limit');
  await page.getByLabel('Events in a day').fill('');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect.poll(quota).toMatchObject({ events_per_day: 0 });
});

test.skipIf(!canBrowse).each([
  ['Trace context', 'traceContext', { on: true, off: false }, 'traceparent'],
  ['Events of each user in order', 'ordering', { on: 'user', off: 'none' }, 'in the order in which they were accepted'],
])('the switch %s of a destination is set, and no longer', async (name, entry, values, words) => {
  const router = await startRouter('--rate-limit=0');
  await connect(router, 'http://127.0.0.1:9/hook');
  const { page } = await openSignedIn(router, DESTINATION);
  const value = async (): Promise<unknown> => {
    const { config } = await router.client.destinations.get(DESTINATION.slice(1));
    return config.find((one) => one.name.endsWith(`/${entry}`))?.value ?? values.off;
  };
  const control = page.getByRole('switch', { name });
  const setting = page.locator('.setting', { has: control });
  for (const wanted of [values.on, values.off]) {
    await control.click();
    await expect.poll(value).toBe(wanted);
    await expect.poll(() => control.isEnabled()).toBe(true);
    await expect.poll(() => control.isChecked()).toBe(wanted === values.on);
    const says = async (): Promise<boolean> => (await setting.innerText()).includes(words);
    await expect.poll(says).toBe(wanted === values.on);
    await page.reload();
    await expect.poll(() => control.isChecked()).toBe(wanted === values.on);
  }
});
