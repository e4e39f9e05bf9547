/**
 * `npm run test:mutation -- [--minutes 30] [--tests <files>]… [--save] server/delivery/circuit.ts 'client/analytics/*.ts'`: every
 * small change that StrykerJS makes of these files, in a copy, and which of them no test notices. Not part of CI: a file takes
 * minutes. One file after the other; none is begun once the minutes are over. What is known of a file is kept: a later run tries
 * only what has changed since. `--tests` names those that run instead of the usual ones; with few of them a run is quick, and
 * its survivors are more than those of all tests. `--save` stores the scores in docs/results.
 */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROOT } from './generate/root.ts';
import { type Score, Stryker } from './mutation/stryker.ts';
import { testsOf } from './mutation/tests.ts';
import type { MutationRun } from './results/mutation-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, readResult, writeResult } from './results/result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '60' },
    tests: { type: 'string', multiple: true },
    save: { type: 'boolean', default: false },
  },
});
const files = globSync(positionals, { cwd: ROOT }).toSorted();
const minutes = Number(values.minutes);
if (files.length === 0 || !(minutes > 0)) {
  console.error('usage: npm run test:mutation -- [--minutes 60] [--tests <files>]… [--save] <source files or globs>');
  process.exit(2);
}
/** Before anything is saved, which would count as a change. */
const { date, commit } = originNow('');
const until = Date.now() + minutes * 60_000;
using stryker = new Stryker(ROOT);
for (const file of files) {
  if (Date.now() >= until) {
    console.log(`${file}: not begun, the ${minutes} minutes are over`);
    continue;
  }
  const tests = values.tests === undefined ? testsOf(file) : { include: values.tests, exclude: [] };
  try {
    const score = stryker.run(file, tests);
    console.log(`${file}: ${score.killed} of ${score.mutants} mutants killed`);
    if (values.save && score.mutants > 0) save(file, score);
  } catch (error) {
    // Its tests may fail as they are; that says nothing of the other files.
    console.error(`${file}: not run: ${String(error)}`);
    process.exitCode = 1;
  }
}

/** A newer row takes the place of an older one of the same file. What was read of its survivors holds while they are as many. */
function save(file: string, { mutants, killed }: Score): void {
  const before = readResult('mutation');
  const old = before.runs.find((run) => run.files === file);
  const isKnown = old?.mutants === mutants && old.killed === killed && old.stay !== undefined;
  const row: MutationRun = { files: file, date, commit, mutants, killed, ...(isKnown && { stay: old.stay }) };
  const others = before.runs.filter((run) => run !== old);
  writeResult('mutation', { ...before, runs: [...others, row].toSorted((a, b) => a.files.localeCompare(b.files)) });
  writePages();
}
