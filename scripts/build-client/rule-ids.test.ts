import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packedClient } from '../../client/tests/support/packed-client.ts';
import { GROUPS } from '../../testbed/certify/scenarios/all.ts';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { ROOT } from '../generate/root.ts';
import { ANY_RULE_ID, withoutRuleIds } from './rule-ids.ts';

/** The lines that mention a rule, with their files. */
function mentionsIn(place: string, files: string): string[] {
  return globSync(files, { cwd: place }).flatMap((file) =>
    readFileSync(join(place, file), 'utf8')
      .split('\n')
      .filter((line) => ANY_RULE_ID.test(line))
      .map((line) => `${file}: ${line.trim().slice(0, 200)}`),
  );
}

const TEXTS = '**/*.{js,ts,md,json,yaml}';

test('no rule id reaches the users of the packed client', () => {
  expect(mentionsIn(packedClient().unpacked, TEXTS)).toEqual([]);
});

test('no rule id reaches the users of the packed testbed', () => {
  expect(mentionsIn(packedTestbed().unpacked, TEXTS)).toEqual([]);
});

test('no rule id reaches the readers of the reference', () => {
  const documents = '{config-api,ingestion-api,receiver-control}{.json,.d.ts}';
  expect(mentionsIn(join(ROOT, 'generated'), documents)).toEqual([]);
  // The pages hold their document in one line, beside code of the page's own.
  for (const file of globSync('generated/docs/*.html', { cwd: ROOT })) {
    expect(readFileSync(join(ROOT, file), 'utf8').match(/(?:HOOK|CFG|ING|LIB)-\d+|\bS \d\.\d/g), file).toBeNull();
  }
});

test('no rule id reaches the readers of a certificate', () => {
  expect(JSON.stringify(GROUPS)).not.toMatch(ANY_RULE_ID);
});

test('a mention is taken away with what holds it, and no other text', () => {
  expect(withoutRuleIds('/** One of seven (HOOK-12, D-27). */')).toBe('/** One of seven. */');
  expect(withoutRuleIds('/** It is kept (S 2.4, HOOK-3…HOOK-7), and sent. */')).toBe('/** It is kept, and sent. */');
  expect(withoutRuleIds('/** D-10: a key is one. */')).toBe('/** a key is one. */');
  expect(withoutRuleIds('const limit = MOST; // LIB-4')).toBe('const limit = MOST; ');
  expect(withoutRuleIds('{\n  // D-25, HOOK-21\n  go()')).toBe('{\n  go()');
  expect(withoutRuleIds('call(2.5); // as (RFC 9110) says')).toBe('call(2.5); // as (RFC 9110) says');
  expect(withoutRuleIds("send('HOOK-9')")).toMatch(ANY_RULE_ID);
});
