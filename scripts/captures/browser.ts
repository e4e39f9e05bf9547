import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { launchBrowser } from '../chromium.ts';
import { WRITE_KEY } from './capture.ts';

const LIBRARY = createRequire(import.meta.url).resolve('@segment/analytics-next/dist/umd/index.js');

/** The library as the page holds it. */
interface Library {
  readonly AnalyticsBrowser: {
    load(settings: object, options?: object): { [call: string]: (...args: unknown[]) => Promise<unknown> };
  };
}

export const STANDARD = {};
export const BATCHING = { deliveryStrategy: { strategy: 'batching', config: { size: 6, timeout: 500 } } };

/** Makes the six calls in a page of headless Chromium; resolves once `isSent` holds. */
export async function sendWithBrowser(cdnURL: string, integration: object, isSent: () => boolean): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const browser = await launchBrowser();
  opened.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(await servePage(opened));
  await page.evaluate(
    async ({ settings, options }) => {
      // The library's script puts it there.
      const { AnalyticsBrowser }: Library = Reflect.get(globalThis, 'AnalyticsNext');
      const analytics = AnalyticsBrowser.load(settings, { integrations: { 'Segment.io': options } });
      await Promise.all([
        analytics['page']?.('Pricing'),
        analytics['identify']?.('u', { plan: 'pro', name: 'Zoë 𝒳' }),
        analytics['track']?.('Order Completed', { total: 42.5, none: null }),
        analytics['screen']?.('Cart'),
        analytics['group']?.('g', { seats: 3 }),
        analytics['alias']?.('u2', 'u'),
      ]);
    },
    { settings: { writeKey: WRITE_KEY, cdnURL }, options: integration },
  );
  const deadline = Date.now() + 20_000;
  while (!isSent()) {
    if (Date.now() > deadline) throw new Error('the page did not send its calls in time');
    await page.waitForTimeout(50);
  }
}

async function servePage(opened: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/library.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(isLibrary ? readFileSync(LIBRARY) : '<title>Shop</title><script src="/library.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}
