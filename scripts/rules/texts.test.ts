import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { textsWithRuleIds } from './texts.ts';

/** Whatever runs, but the tests, and the two scripts whose subject is the rules themselves. */
function production(): string[] {
  return globSync('{server,client,testbed,scripts}/**/*.{ts,mjs}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/tests/**', '**/*.test.ts', 'scripts/prove/**', 'scripts/rules/**'],
  });
}

test('no text that can reach a person mentions a rule', () => {
  const files = production();
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => textsWithRuleIds(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test.each([
  ["throw new Error('not a name (CFG-24)');", 'not a name (CFG-24)'],
  ['log.warn({}, `HOOK-9 holds`);', 'HOOK-9 holds'],
  ['const text = `${count} of them (D-13), ${more}`;', ' of them (D-13), '],
  ['const text = `${count}, SAFE-2`;', ', SAFE-2'],
  ["const help = { flag: 'as in S 2.4' };", 'as in S 2.4'],
])('a text that mentions a rule is found: %s', (code, text) => {
  expect(textsWithRuleIds('new.ts', `\n${code}`)).toEqual([`new.ts:2: ${text}`]);
});

test('comments may mention a rule', () => {
  expect(textsWithRuleIds('new.ts', '/** HOOK-9. */\nconst limit = 5; // `CFG-24`\n')).toEqual([]);
});
