import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { ANY_RULE_ID } from '../build-client/rule-ids.ts';
import { textsWith } from './texts.ts';

/** What the project said in words of its own, where the field has others. */
const PRIVATE_WORDS =
  /\b(?:turned away|crumbs|way in|in vain|letters and digits|status that is none|is none of|cannot be;|so many (?:have|come)|(?:are|is|was|be) (?:left out|taken)|not taken)/i;

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
  const files = production('{server,client,cli,testbed,scripts}');
  expect(files.length).toBeGreaterThan(500);
  expect(foundIn(files, ANY_RULE_ID)).toEqual([]);
});

test('texts use the terms of the field', () => {
  expect(foundIn(production('{server,client,cli,testbed}'), PRIVATE_WORDS)).toEqual([]);
});

test('descriptions of the API use the terms of the field', () => {
  const lines = globSync('openapi/{*,*-api/*,receiver-control/*}.yaml', { cwd: ROOT }).flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines.length).toBeGreaterThan(2_000);
  expect(lines.filter((line) => !line.includes(': #') && PRIVATE_WORDS.test(line))).toEqual([]);
});

test.each([
  ["failed('it was not taken')", 'it was not taken'],
  ['throw new Error(`--webhooks ${text} cannot be; give a number`)', ' cannot be; give a number'],
  ["const words = 'answered with a status that is none';", 'answered with a status that is none'],
  ["log.warn({}, 'waited in vain')", 'waited in vain'],
])('a text with private words is found: %s', (code, text) => {
  expect(textsWith(PRIVATE_WORDS, 'new.ts', code)).toEqual([`new.ts:1: ${text}`]);
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
