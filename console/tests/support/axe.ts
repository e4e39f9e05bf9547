import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sizeOf, type View } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The same in each of these views, one after the other: a page follows the window and the theme without being loaded anew. */
export async function faultsInViews(
  page: Page,
  screen: string,
  views: readonly View[],
  seen?: (name: string) => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const view of views) {
    const name = `${screen} ${view.theme} ${view.width}`;
    await page.setViewportSize(sizeOf(view));
    // Colors that are on their way would be judged.
    await page.emulateMedia({ colorScheme: view.theme, reducedMotion: 'reduce' });
    faults.push(...(await faultsOf(page, name)));
    await seen?.(name);
  }
  return faults;
}

/** What is serious on a screen, once it is loaded, and by how much it is wider than the window. */
export async function faultsOf(page: Page, screen: string): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  // The policy of the console holds for scripts of the page; the debugger's are none.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const violations: readonly Violation[] = await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [
    ...serious.map(({ id, nodes }) => `${screen}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(overflow > 0 ? [`${screen}: ${overflow} px wider than the window`] : []),
  ];
}
