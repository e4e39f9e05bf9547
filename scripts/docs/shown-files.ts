import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file that a page shows: a marker with its path, then a fence with its text. */
const SHOWN = /<!-- shown: (\S+) -->\n```\w*\n(?:[\s\S]*?\n)??```\n/g;

/** The page with every shown file as it is now. Throws for a file that is not there. */
export function withShownFiles(page: string, root: string): string {
  return page.replaceAll(SHOWN, (_whole, path: string) => {
    const text = readFileSync(join(root, path), 'utf8').trimEnd();
    return `<!-- shown: ${path} -->\n\`\`\`${extname(path).slice(1)}\n${text}\n\`\`\`\n`;
  });
}

/** The files that a page shows. */
export function shownFiles(page: string): readonly string[] {
  return [...page.matchAll(SHOWN)].map(([, path = '']) => path);
}
