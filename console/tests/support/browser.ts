import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { connectToBrowser, installedBrowser } from '../../../scripts/chromium.ts';
import { TOKEN, type TestRouter } from './router.ts';
import { isPossible } from '../../../server/tests/support/possible.ts';

/** Where there is no browser its tests are left out; in CI they are not, and fail. */
export const canBrowse = isPossible(installedBrowser !== undefined || process.env['CI'] !== undefined, 'Chromium');

/** To that of the whole run, for as long as a file of tests; each page has a context of its own. */
let connected: Promise<Browser> | undefined;

/** Only the connection ends, with the contexts that were made over it: `disconnect-browser.ts` calls it after each file. */
export async function disconnect(): Promise<void> {
  const browser = await connected;
  connected = undefined;
  await browser?.close();
}

export interface View {
  /** The test moves the page's clock by hand. */
  readonly hasOwnClock?: boolean;
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

/** It ends what hangs, on machines that are busy with others. */
const MAX_WAIT_MS = 60_000;

export function sizeOf({ width }: Pick<View, 'width'>): { readonly width: number; readonly height: number } {
  return { width, height: width < 600 ? 844 : 900 };
}

export const WIDE: View = { width: 1440, theme: 'light' };

/** A page of the console, and what it complained of, foreign requests included: none may. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
}

export async function openConsole(
  { url }: Pick<TestRouter, 'url'>,
  path = '/',
  view: View = WIDE,
): Promise<ConsolePage> {
  return openAt(`${url}/console${path}`, view);
}

/** Any page; what it asks of another origin is a complaint. */
export async function openAt(
  address: string,
  { width, theme, hasOwnClock = false }: View = WIDE,
): Promise<ConsolePage> {
  const viewport = sizeOf({ width });
  connected ??= connectToBrowser(inject('chromium'));
  const browser = await connected;
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(MAX_WAIT_MS);
  const complaints: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${new URL(address).origin}/`)) complaints.push(`asked for ${request.url()}`);
  });
  const page = await context.newPage();
  if (hasOwnClock) await page.clock.install();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(`${message.type()} ${message.text()}`));
  page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
  await page.goto(address);
  return { page, context, complaints };
}

export async function signIn({ page }: Pick<ConsolePage, 'page'>, token = TOKEN): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('aside.side').waitFor();
}

/** A page that shows this view, signed in. */
export async function openSignedIn(router: TestRouter, path: string, view?: View): Promise<ConsolePage> {
  const opened = await openConsole(router, path, view);
  await signIn(opened);
  return opened;
}

/** Whether the text comes; the console polls, and machines are busy. */
export async function expectText(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator('main').innerText()).toMatch(text);
}
