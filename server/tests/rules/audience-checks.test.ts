import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What audiences are asked to do where others failed. A test says in its name which of these it checks: `(check 7)`. */
const CHECKS: Readonly<Record<number, string>> = {
  1: 'the first sync tells exactly the members, once each',
  2: 'who did nothing for as long as a window is told false, once',
  3: 'who entered and left between two runs is told nothing',
  4: 'a sum below a limit lets somebody in as time passes',
  5: '"not" includes who only identified',
  6: 'an event that is days late changes membership at the next run',
  7: 'an event that is sent again after more than a day, and a restart, counts as documented',
  8: 'an event of the future counts from its receipt',
  9: 'what was done before an identify counts for the user',
  10: 'two users of one device stay two',
  11: 'aliases in a circle make one profile',
  12: 'of two members that merge, the survivor is told nothing',
  13: 'any order of the same events comes to the same end',
  14: 'a longer window needs no backfill',
  15: 'who does not meet an edited definition any more is told false',
  16: 'an audience of an audience is of the same run',
  17: 'a cycle is refused, and so is the deletion of what is used',
  18: 'a key stays, is never given again, and needs letters',
  19: 'the last that a receiver hears after it was down is right',
  20: 'a user that is refused is one failure, and is not sent again',
  21: 'a router that is killed at each commit of a first sync comes to the same end',
  22: 'after a long time without a router there is one run',
  23: 'after a deletion nothing is told of the user but its notice, and its id is in no table',
  24: 'a destination that is added gets everybody, the others nothing',
  25: 'members that are walked while a run commits come once, of one version',
};

const FOLDER = join(import.meta.dirname, '..');

/** Names of tests, and titles of facts, by the checks that they name. */
function namesOf(files: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  for (const text of files) {
    for (const [, name = ''] of text.matchAll(/(?:\btest(?:\.each\([^)]*\))?\(|title:)\s*(['"`][^\n]+)/g)) {
      for (const [, numbers = ''] of name.matchAll(/\bchecks? (\d+(?:(?:, | and )\d+)*)/g)) {
        for (const number of numbers.match(/\d+/g) ?? []) {
          names.set(Number(number), [...(names.get(Number(number)) ?? []), name]);
        }
      }
    }
  }
  return names;
}

function missingIn(names: ReadonlyMap<number, readonly string[]>): string[] {
  return Object.entries(CHECKS).flatMap(([number, what]) => (names.has(Number(number)) ? [] : [`${number}: ${what}`]));
}

test('each of the checks of audiences has a test that names it', () => {
  const files = globSync('{rules,conformance,faults}/*.ts', { cwd: FOLDER });
  const names = namesOf(files.map((file) => readFileSync(join(FOLDER, file), 'utf8')));
  expect(missingIn(names)).toEqual([]);
  expect([...names.keys()].filter((number) => CHECKS[number] === undefined)).toEqual([]);
});

test('a check without a test is found', () => {
  const names = namesOf(["test('all but two (checks 1, 2 and 3)', () => {});", "title: 'check 4: a fact',"]);
  expect([...names.keys()]).toEqual([1, 2, 3, 4]);
  expect(missingIn(names)).toHaveLength(21);
  expect(missingIn(names)[0]).toBe(`5: ${CHECKS[5]}`);
});
