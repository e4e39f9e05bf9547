import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { ANY_RULE_ID } from '../build-client/rule-ids.ts';
import { textsWith } from './texts.ts';

const FORMER_WORDS = /\b(?:taken|turned away)\b/i;

/** What runs in these folders, but the tests, and the two scripts whose subject is the rules themselves. */
function production(folders: string): string[] {
  return globSync(`${folders}/**/*.{ts,mjs}`, {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/tests/**', '**/*.test.ts', 'scripts/prove/**', 'scripts/rules/**'],
  });
}

function foundIn(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) => textsWith(pattern, file, readFileSync(join(ROOT, file), 'utf8')));
}

test('no text that can reach a person mentions a rule', () => {
  const files = production('{server,client,testbed,scripts}');
  expect(files.length).toBeGreaterThan(500);
  expect(foundIn(files, ANY_RULE_ID)).toEqual([]);
});

test('what certify says of events and requests is accepted and rejected', () => {
  expect(foundIn(production('testbed/{certify,command-line,audit}'), FORMER_WORDS)).toEqual([]);
  expect(textsWith(FORMER_WORDS, 'new.ts', "failed('it was not taken')")).toEqual(['new.ts:1: it was not taken']);
});

test.each([
  ["throw new Error('not a name (CFG-24)');", 'not a name (CFG-24)'],
  ['log.warn({}, `HOOK-9 holds`);', 'HOOK-9 holds'],
  ['const text = `${count} of them (D-13), ${more}`;', ' of them (D-13), '],
  ['const text = `${count}, SAFE-2`;', ', SAFE-2'],
  ["const help = { flag: 'as in S 2.4' };", 'as in S 2.4'],
])('a text that mentions a rule is found: %s', (code, text) => {
  expect(textsWith(ANY_RULE_ID, 'new.ts', `\n${code}`)).toEqual([`new.ts:2: ${text}`]);
});

test('comments may mention a rule', () => {
  expect(textsWith(ANY_RULE_ID, 'new.ts', '/** HOOK-9. */\nconst limit = 5; // `CFG-24`\n')).toEqual([]);
});
