import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver, type Receiver, type ReceiverOptions } from '../../testbed/index.ts';
import { type Control, openControl } from '../../testbed/receiver/index.ts';
import { signedRequest } from '../../testbed/schemes/index.ts';
import { runReceiver } from '../../testbed/tests/support/command.ts';
import { event, post } from '../../testbed/tests/support/posting.ts';
import { faultsInViews } from './support/axe.ts';
import { canBrowse, type ConsolePage, expectText, openAt, type View } from './support/browser.ts';

interface Looked extends ConsolePage {
  readonly receiver: Receiver;
  readonly control: Control;
}

/** A receiver, and somebody who looks at it. */
async function lookAt(options: ReceiverOptions = {}, view?: View): Promise<Looked> {
  const receiver = await createReceiver(options);
  const control = await openControl(receiver, { needsToken: true });
  onTestFinished(async () => {
    await control.close();
    await receiver.close();
  });
  return { receiver, control, ...(await openAt(control.page, view)) };
}

const rows = (page: Page) => page.locator('a.request');

async function sendSigned(receiver: Receiver, secret: string, body: string): Promise<void> {
  const { url, headers } = signedRequest({ scheme: 'stripe', secret, url: `${receiver.url}/hooks`, body });
  await post(url, body, { ...headers, 'Content-Type': 'application/json' });
}

test.skipIf(!canBrowse)('a request is shown as it arrives, with its verdict, and why it is one', async () => {
  const { receiver, page, complaints } = await lookAt({ secret: 'whsec_right', scheme: 'stripe', script: '503,200' });
  await expectText(page, 'Waiting for the first request');
  expect(page.url()).not.toContain('token');
  await sendSigned(receiver, 'whsec_right', event('track', { event: 'Order Completed', properties: { total: 42 } }));
  await expect.poll(() => rows(page).count()).toBe(1);
  await sendSigned(receiver, 'right', event('track', { event: 'Order Refunded' }));
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(await rows(page).nth(0).innerText()).toMatch(/Order Refunded[^]*Invalid[^]*200/);
  expect(await rows(page).nth(1).innerText()).toMatch(/Order Completed[^]*Valid[^]*503/);

  await rows(page).nth(0).click();
  await expectText(page, 'The signature in Stripe-Signature is invalid.');
  await expectText(page, /secret/i);
  await rows(page).nth(1).click();
  await expectText(page, 'The signature is valid.');
  await expect.poll(() => page.getByLabel('Body', { exact: true }).last().innerText()).toContain('"total": 42');
  await expectText(page, 'step 1 of 2 (503)');
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('the next step of a script is shown, and another script is played from the page', async () => {
  const { receiver, page, complaints } = await lookAt({ script: '503x2,200' });
  await expectText(page, 'step 1 of 2 (503x2), time 1 of 2');
  await post(receiver.url, event('track'));
  await expectText(page, 'step 1 of 2 (503x2), time 2 of 2');
  await page.getByLabel('Script').fill('429+retry-after:30s,rest');
  await page.keyboard.press('Enter');
  await expectText(page, 'did you mean reset?');
  await page.getByLabel('Script').fill('429+retry-after:30s,200');
  await page.getByRole('button', { name: 'Play' }).click();
  await expectText(page, 'step 1 of 2 (429+retry-after:30s)');
  expect((await post(receiver.url, event('track'))).status).toBe(429);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expectText(page, 'Waiting for the first request');
  expect(receiver.received).toEqual([]);
  // What was refused is written to the console by the browser itself.
  expect(complaints.filter((each) => !each.includes('400'))).toEqual([]);
});

test.skipIf(!canBrowse)(
  "a request is replayed to an endpoint of one's own, signed anew, and the answer told",
  async () => {
    const stripe = { secret: 'whsec_right', scheme: 'stripe' } as const;
    const own = await createReceiver({ ...stripe, script: '500,200' });
    onTestFinished(() => own.close());
    const { receiver, page, complaints } = await lookAt(stripe);
    await sendSigned(receiver, 'whsec_wrong', event('track'));
    await rows(page).first().click();
    const to = page.getByLabel('Your endpoint');
    await to.fill(`${own.url}/mine`);
    await page.keyboard.press('Enter');
    const replays = page.getByRole('list', { name: 'Replays' });
    await expect.poll(() => replays.innerText()).toMatch(/500[^]*signed anew/);
    expect(own.received[0]).toMatchObject({ path: '/mine', signature: { verdict: 'valid' } });
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => replays.locator('li').count()).toBe(2);
    await own.close();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => replays.innerText()).toContain('ECONNREFUSED');
    expect(complaints).toEqual([]);
  },
);

test.skipIf(!canBrowse)('all that is kept is downloaded as an HTTP archive', async () => {
  const { receiver, page, complaints } = await lookAt();
  await post(receiver.url, event('track', { event: 'Order Completed' }));
  await expect.poll(() => rows(page).count()).toBe(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download HAR' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('requests.har');
  const { log } = JSON.parse(await text(await download.createReadStream()));
  expect(log).toMatchObject({ version: '1.2', entries: [{ request: { method: 'POST' } }] });
  expect(complaints).toEqual([]);
});

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

test.skipIf(!canBrowse)('what senders write is text, whatever it is', async () => {
  const { receiver, page, complaints } = await lookAt();
  const body = `{"event":"${HOSTILE}\u202E","id":12345678901234567890,"id":1}`;
  await post(`${receiver.url}/${encodeURIComponent(HOSTILE)}`, body, { 'X-Html': HOSTILE, 'Content-Type': HOSTILE });
  await post(receiver.url, Uint8Array.of(0xff, 0x00, 0xfe));
  await post(receiver.url, `\u0000\u001B[31m${'['.repeat(100_000)}`);
  await post(receiver.url, JSON.stringify({ text: 'x'.repeat(2_000_000) }));
  await expect.poll(() => rows(page).count()).toBe(4);
  const shown = page.locator('pre.body');
  await rows(page).nth(3).click();
  await expect.poll(() => shown.innerText()).toContain(`"${HOSTILE}\\u{202e}"`);
  // Numbers and names that come twice stay as they came.
  expect(await shown.innerText()).toContain('"id": 12345678901234567890,\n  "id": 1');
  expect(await page.locator('main').innerText()).toContain('onerror');
  expect(await page.locator('main img, main script').count()).toBe(0);
  await rows(page).nth(2).click();
  await expect.poll(() => shown.innerText()).toBe('/wD+');
  await rows(page).nth(1).click();
  await expect.poll(() => shown.innerText()).toContain('\\u{0}\\u{1b}[31m[[[');
  await rows(page).nth(0).click();
  await expectText(page, 'Only the beginning of 1.9 MB');
  expect((await shown.innerText()).length).toBeLessThan(201_000);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('with the keyboard alone: filter, go through requests, replay, go back', async () => {
  const own = await createReceiver();
  onTestFinished(() => own.close());
  const { receiver, page, complaints } = await lookAt();
  for (const name of ['First', 'Second', 'Third']) await post(receiver.url, event('track', { event: name }));
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Third' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Second' }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'Third' }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type(own.url);
  await page.keyboard.press('Enter');
  await expect.poll(() => own.received.length).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expectText(page, 'Choose a request');
  await page.keyboard.press('/');
  await page.keyboard.type('first');
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'First' }).waitFor();
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)('two keys in a row are two steps, however soon the second comes', async () => {
  const { receiver, page } = await lookAt();
  for (const name of ['First', 'Second', 'Third']) await post(receiver.url, event('track', { event: name }));
  await expect.poll(() => rows(page).count()).toBe(3);
  const press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));";
  await page.evaluate(press + press);
  await page.getByRole('heading', { name: 'Second' }).waitFor();
});

test.skipIf(!canBrowse)('a flood leaves a list that somebody can look through', async () => {
  const { receiver, page, complaints } = await lookAt({ keep: 1_000 });
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 60; count += 1) await post(receiver.url, event('track'));
    }),
  );
  await expectText(page, '1,200, the last');
  expect(await rows(page).count()).toBeLessThanOrEqual(500);
  expect(complaints).toEqual([]);
});

test.skipIf(!canBrowse)(
  'the command prints the address of the page, and the page tells when the command ends',
  async () => {
    await using command = runReceiver('--port', '0', '--secret', 's3cret');
    const [, address = ''] = await command.until(/page +(http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+)/);
    const { page } = await openAt(address);
    await expectText(page, 'Waiting for the first request');
    // Another tab at the bare address has no token.
    const other = await openAt(new URL(address).origin);
    await expectText(other.page, 'The receiver does not know this page');
    command.kill('SIGINT');
    expect(await command.exit).toBe(0);
    await expectText(page, 'The receiver does not answer');
  },
);

const VIEWS = (['light', 'dark'] as const).flatMap((theme) => [390, 768, 1440].map((width) => ({ theme, width })));

test.skipIf(!canBrowse)('no view has a serious fault, nor is wider than the window', async () => {
  const folder = process.env['WAYBILL_PICTURES'];
  const { receiver, page } = await lookAt({
    secret: 'whsec_right',
    scheme: 'stripe',
    endpoints: {
      '/hooks/orders': { script: 'track:503x2,page:429,200' },
      '/hooks/users': { forward: 'http://127.0.0.1:9' },
    },
  });
  const picture = async (name: string): Promise<void> => {
    if (folder === undefined) return;
    await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), fullPage: true });
  };
  const look = (name: string): Promise<string[]> => faultsInViews(page, name, VIEWS, picture);
  await expectText(page, 'Waiting for the first request');
  const faults = await look('empty');
  const order = event('track', { event: 'Order Completed', properties: { total: 42, currency: 'EUR', items: [1, 2] } });
  const signed = async (path: string, secret: string, body: string): Promise<void> => {
    const request = signedRequest({ scheme: 'stripe', secret, url: receiver.url + path, body });
    await post(request.url, body, { ...request.headers, 'Content-Type': 'application/json' });
  };
  await signed('/hooks/orders', 'whsec_right', order);
  await signed('/hooks/orders', 'right', order);
  await signed('/hooks/users', 'whsec_right', event('identify', { userId: 'ada' }));
  await post(`${receiver.url}/somewhere/else/with/a/rather/long/path?and=a&query=of-its-own`, '{"hello":"world"}');
  await expect.poll(() => rows(page).count()).toBe(4);
  faults.push(...(await look('list')));
  await page.locator('.endpoints summary').first().click();
  faults.push(...(await look('endpoint')));
  await rows(page).nth(2).click();
  await expectText(page, 'currency');
  faults.push(...(await look('request')));
  expect(faults).toEqual([]);
});
