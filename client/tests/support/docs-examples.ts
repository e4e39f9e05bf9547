import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './packed-once.ts';

export type PageName = 'node' | 'browser' | 'edge' | 'config' | 'webhooks' | 'signatures' | 'destinations' | 'README';

export const PAGES: readonly PageName[] = [
  'node',
  'browser',
  'edge',
  'config',
  'webhooks',
  'signatures',
  'destinations',
  'README',
];

/** The TypeScript of a page, example by example, as its reader copies it. */
export function examplesOf(page: PageName): readonly string[] {
  return Array.from(textOf(page).matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);
}

/** The page of HTML that the browser page shows. */
export function htmlExample(): string {
  return /```html\n(.*?)```/s.exec(textOf('browser'))?.[1] ?? '';
}

function textOf(page: PageName): string {
  return readFileSync(join(ROOT, ELSEWHERE[page] ?? `docs/client/${page}.md`), 'utf8');
}

const ELSEWHERE: Readonly<Partial<Record<PageName, string>>> = {
  README: 'client/README.md',
  signatures: 'docs/signatures.md',
  destinations: 'docs/destinations.md',
};

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
