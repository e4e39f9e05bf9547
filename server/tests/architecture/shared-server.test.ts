import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';

/** Statements about a whole server or database. Others test in schemas of their own beside, and would notice. */
const ABOUT_ALL =
  /\b(?:ANALYZE|VACUUM(?: \(.*\)| FULL| ANALYZE)?)(?=\s*(?:;|['"`](?! \|\|)))|\bREINDEX (?:DATABASE|SYSTEM)\b|\bALTER SYSTEM\b|\bpg_stat_reset\(/g;

const TESTS = globSync('{server,client,cli,testbed}/tests/**/*.ts', { cwd: ROOT }).filter(
  (file) => !/architecture.shared-server\.test\.ts$/.test(file),
);

function aboutAll(text: string): readonly string[] {
  return Array.from(text.matchAll(ABOUT_ALL), ([found]) => found);
}

test('no test says to a server that it shares what changes the tests beside it', () => {
  const found = TESTS.flatMap((file) =>
    aboutAll(readFileSync(join(ROOT, file), 'utf8')).map((statement) => `${file}: ${statement}`),
  );
  expect(found, 'use analyze of server/tests/support/statistics.ts').toEqual([]);
});

test.each([
  ["run(script('ANALYZE'))", ['ANALYZE']],
  ['run(script(`VACUUM ANALYZE; SELECT 1`))', ['VACUUM ANALYZE']],
  ["'ALTER SYSTEM SET fsync = off'", ['ALTER SYSTEM']],
  ["run(script('ANALYZE users, moved'))", []],
  ['`EXPLAIN (ANALYZE, BUFFERS) ${text}`', []],
  ["'ANALYZE ' || one", []],
])('of %s, these are found: %j', (text, found) => {
  expect(aboutAll(text)).toEqual(found);
});
