import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { openPage } from '../../../client/tests/support/browser.ts';

const library = createRequire(import.meta.url).resolve('@segment/analytics-next/dist/umd/index.js');

/** A page in headless Chromium that holds the browser library, on a host of its own. */
export async function openShop(): Promise<Page> {
  const files: Readonly<Record<string, string>> = {
    '/': '<title>Shop</title><script src="/library.js"></script>',
    '/library.js': readFileSync(library, 'utf8'),
  };
  return (await openPage((path) => files[path])).page;
}
