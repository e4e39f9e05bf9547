/**
 * `npm run prove [-- --rule HOOK-9] [--area CFG] [--file server/http] [--json]`: breaks each rule in a copy of the project,
 * and exits 1 when the tests that name it do not notice, when a rule has no mutant, or a mutant no longer fits its file.
 * `--file` takes the mutants of the files whose paths begin so.
 */
import { parseArgs } from 'node:util';
import { ROOT } from './generate/root.ts';
import { mutantFaults } from './prove/mutant.ts';
import { MUTANTS } from './prove/mutants/all.ts';
import { printedLine, type ProveResult, rowOf, rowsOf } from './prove/table.ts';
import type { Verdict } from './prove/trial.ts';
import { tryAll } from './prove/try-all.ts';
import { writePages } from './results/pages.ts';
import { originNow, readResult, writeResult } from './results/result.ts';
import { ruleCoverage } from './rules/rule-coverage.ts';

const { values } = parseArgs({
  options: {
    rule: { type: 'string' },
    area: { type: 'string' },
    file: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const { all, excused } = ruleCoverage([]);
const rules = all.filter((rule) => !excused.has(rule));
const ofFile = MUTANTS.filter(({ file }) => file.startsWith(values.file));
const isWanted = (rule: string): boolean =>
  (values.rule === undefined || rule === values.rule) &&
  (values.area === undefined || rule.startsWith(`${values.area}-`)) &&
  (values.file === '' || ofFile.some((mutant) => mutant.rule === rule));
const chosen = ofFile.filter(({ rule }) => isWanted(rule));
const faults = mutantFaults(chosen, rules.filter(isWanted), ROOT);
if (chosen.length === 0 && faults.length === 0) faults.push('no mutant fits --rule, --area and --file');
if (faults.length > 0) {
  for (const fault of faults) console.error(`✗ ${fault}`);
  process.exit(1);
}

const startedAt = performance.now();
const onVerdict = (verdict: Verdict): void => void (values.json || console.log(printedLine(verdict)));
const { verdicts, broken } = await tryAll(chosen, ROOT, onVerdict);
for (const { test, file, message } of broken)
  console.error(`✗ not proven by ${test} (${file}), which fails in any case:\n${message}`);
if (broken.length > 0) process.exit(1);
const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined);
const seconds = Math.round((performance.now() - startedAt) / 1000);
writeRows();
if (values.json) console.log(JSON.stringify({ seconds, verdicts }));
else console.log(`\n${verdicts.length - survivors.length} killed, ${survivors.length} survived, ${seconds} s`);
for (const { mutant } of survivors) console.error(`✗ ${mutant.rule} survived: ${mutant.breaks} (${mutant.file})`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** Its origin stays that of the last run of all mutants. */
function writeRows(): void {
  const before = readResult('prove');
  const isWhole = chosen.length === MUTANTS.length;
  const origin = isWhole ? { ...originNow('npm run prove'), seconds } : before;
  const result: ProveResult = { ...origin, rows: rowsOf(MUTANTS, verdicts.map(rowOf), before.rows) };
  writeResult('prove', result);
  writePages();
}
