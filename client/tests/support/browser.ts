import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { installedBrowser, launchBrowser } from '../../../scripts/chromium.ts';
import { isPossible } from '../../../server/tests/support/possible.ts';

/** Where there is no browser its tests are left out; in CI they are not, and fail. */
export const canBrowse = isPossible(installedBrowser !== undefined || process.env['CI'] !== undefined, 'Chromium');

/** What a page does, and what it complained of. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** What the host of a page serves: files by their path, the page itself as `/`. */
export type Site = (path: string) => string | undefined;

/** A site whose one page runs a module. */
export function siteWith(module: string): Site {
  const page = '<!doctype html><title>Shop</title><script type="module" src="/app.js"></script>';
  return (path) => ({ '/': page, '/app.js': module })[path];
}

/** The first page of a site, on a host of its own, in headless Chromium. Ended with the test. */
export async function openPage(site: Site): Promise<OpenPage> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  // A context of its own can open more pages of the site.
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(`${message.type()} ${message.text()}`));
  await page.goto(await serve(site));
  return { page, complaints };
}

async function serve(site: Site): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const content = site(url);
    response.setHeader('Content-Type', url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    // Browsers ask for an icon, which is none of the page's business.
    response.writeHead(content === undefined && url !== '/favicon.ico' ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}
