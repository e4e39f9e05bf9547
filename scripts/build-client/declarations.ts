import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutRuleIds } from './rule-ids.ts';

/** A relative import of a source or a declaration, up to its extension. */
const IMPORTED = /((?:from |import\()'\.{1,2}\/[^']*?)(?:\.d)?\.ts'/g;

/** Imports as declarations usually have them: by the name of the JavaScript beside which they stand. */
function withJavaScriptNames(declaration: string): string {
  return declaration.replaceAll(IMPORTED, "$1.js'");
}

/**
 * Makes the code of a build whole: the compiler neither copies declarations that were written or generated as such, nor
 * renames what declarations import, and it keeps comments as they are.
 */
export function completeDeclarations(folder: string, root: string): void {
  for (const file of globSync('generated/*.d.ts', { cwd: root })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, withJavaScriptNames(readFileSync(path, 'utf8')));
  }
  for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, withoutRuleIds(readFileSync(path, 'utf8')));
  }
}
