import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What is serious on a screen, once it is loaded, and by how much it is wider than the window. */
export async function faultsOf(page: Page, screen: string): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  // The policy of the console holds for scripts of the page; the debugger's are none.
  await page.evaluate(AXE);
  const violations: readonly Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const overflow: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [
    ...serious.map(({ id, nodes }) => `${screen}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(overflow > 0 ? [`${screen}: ${overflow} px wider than the window`] : []),
  ];
}
