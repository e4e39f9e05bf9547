import { globSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_FOLDER } from '../../server/http/console.ts';

/** A path that no build of the console has. */
export const NOT_IN_CONSOLE = '/console/assets/none.js';

/** Paths of the console as it is built now: its page, the largest file of each kind, and one that it does not have. */
export function consolePaths(): readonly string[] {
  const cwd = fileURLToPath(CONSOLE_FOLDER);
  const sized = globSync('**/*.*', { cwd }).map((path) => ({ path, size: statSync(cwd + path).size }));
  const largest = new Map(sized.toSorted((a, b) => a.size - b.size).map(({ path }) => [extname(path), path]));
  return ['/console', NOT_IN_CONSOLE, ...[...largest.values()].map((path) => `/console/${path}`)];
}

/** The largest script of the console, which is dear to compress. */
export function largestOfConsole(): string {
  return consolePaths().find((path) => path.endsWith('.js') && path !== NOT_IN_CONSOLE) ?? '/console';
}
