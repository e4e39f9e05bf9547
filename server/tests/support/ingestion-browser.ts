import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installed = BROWSERS.find((path) => existsSync(path));

/** Where there is no browser its tests are left out; in CI they are not, and fail. */
export const canBrowse = installed !== undefined || process.env['CI'] !== undefined;

const library = createRequire(import.meta.url).resolve('@segment/analytics-next/dist/umd/index.js');

/** A page in headless Chromium that holds the browser library, on a host of its own. */
export async function openPage(): Promise<Page> {
  if (installed === undefined) throw new Error(`no browser at ${BROWSERS.join(', ')}: apt-get install chromium`);
  const browser = await chromium.launch({ executablePath: installed, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(await servePage());
  return page;
}

async function servePage(): Promise<string> {
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/library.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(isLibrary ? readFileSync(library) : '<title>Shop</title><script src="/library.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}
