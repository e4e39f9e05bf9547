import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';

/** The pages about the testbed: somebody may read all of them. */
export const PAGES = ['testbed.md', 'receiver.md', 'certify.md', 'results/testbed.md'] as const;

/** A block of code of a page. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Whether the walk of the page runs it. */
  readonly isWalked: boolean;
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, 'docs', page), 'utf8');
}

export function blocksOf(page: string, text = textOf(page)): readonly Block[] {
  const found = text.matchAll(/(<!-- walk: [^>]*-->\n)?```(\w*)\n([\s\S]*?)```/g);
  return [...found].map(([, walk, language = '', block = '']) => ({
    page,
    language,
    text: block,
    isWalked: walk !== undefined,
  }));
}

/** Words as `wc -w` counts them. */
export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
