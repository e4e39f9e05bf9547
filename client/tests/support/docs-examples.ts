import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './packed-once.ts';

/** The pages with examples of the client; those of the testbed's pages are run by its own tests. */
export const PAGES = [
  { page: 'node', path: 'docs/client/node.md' },
  { page: 'browser', path: 'docs/client/browser.md' },
  { page: 'edge', path: 'docs/client/edge.md' },
  { page: 'config', path: 'docs/client/config.md' },
  { page: 'webhooks', path: 'docs/client/webhooks.md' },
  { page: 'signatures', path: 'docs/signatures.md' },
  { page: 'notices', path: 'docs/notices.md' },
  { page: 'README', path: 'client/README.md' },
] as const;

export type PageName = (typeof PAGES)[number]['page'];

/** Whether a page shows code that an engine of JavaScript is meant to run. */
export function showsCode(text: string): boolean {
  return /^ *```(?:[cm]?[jt]sx?|javascript|typescript)\b/m.test(text);
}

/** The TypeScript of a page, example by example, as its reader copies it. */
export function examplesOf(page: PageName): readonly string[] {
  return Array.from(textOf(page).matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);
}

/** The page of HTML that the browser page shows. */
export function htmlExample(): string {
  return /```html\n(.*?)```/s.exec(textOf('browser'))?.[1] ?? '';
}

function textOf(page: PageName): string {
  const found = PAGES.find((one) => one.page === page);
  if (found === undefined) throw new Error(`no page is called ${page}`);
  return readFileSync(join(ROOT, found.path), 'utf8');
}

/** The one example of a page that contains a text. */
export function exampleWith(page: PageName, text: string): string {
  const found = examplesOf(page).filter((code) => code.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} examples of the page ${page} contain ${text}`);
  return found[0] ?? '';
}

/** An example for a runtime without TypeScript, with the reader's own values. */
export function runnable(code: string, own: Readonly<Record<string, string>> = {}): string {
  return withOwn(stripTypeScriptTypes(code, { mode: 'strip' }), own);
}

/** With the reader's own values in place of those that are shown. */
export function withOwn(text: string, own: Readonly<Record<string, string>>): string {
  return Object.entries(own).reduce((changed, [shown, value]) => changed.replaceAll(shown, value), text);
}
