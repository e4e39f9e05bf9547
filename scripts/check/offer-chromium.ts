import type { TestProject } from 'vitest/node';
import { installedBrowser, serveBrowser } from '../chromium.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run is reached; empty where there is none. */
    readonly chromium: string;
  }
}

/** Vitest's global set-up of tests that look at pages: one browser for all of them, in which each page has a context of its own. */
export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  if (installedBrowser === undefined) {
    provide('chromium', '');
    return () => Promise.resolve();
  }
  const { address, close } = await serveBrowser();
  provide('chromium', address);
  return close;
}
