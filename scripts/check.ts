/** `npm test`: everything that CI checks, one step after another; it goes on after a failure, so that all are seen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep, type StepResult } from './check/step.ts';
import { ROOT } from './generate/outputs.ts';
import { coverageFaults, coverageTable, ruleCoverage } from './rules/rule-coverage.ts';

const REPORT = join(ROOT, 'node_modules/.cache/waybill-tests.json');

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const steps = [
  await runStep('generated code is fresh', ['node', 'scripts/generate.ts', '--check']),
  await runStep('contract is compatible with the released one', ['node', 'scripts/compatibility.ts']),
  await runStep('types', ['tsc', '-p', '.']),
  await runStep('types of the console', ['tsc', '-p', 'console']),
  await runStep('lint', ['oxlint', '--type-aware']),
  await runStep('format', ['oxfmt', '--check']),
  await runStep('tests', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`]),
];
const tests = readReport(steps.at(-1));
const coverage = ruleCoverage(passedNames(tests));
const faults = coverageFaults(coverage);
console.log(`\n${coverageTable(coverage)}`);
for (const fault of faults) console.log(`✗ ${fault}`);

const others = steps.slice(0, -1);
const passed = tests.numPassedTests + others.filter((step) => step.passed).length + (faults.length === 0 ? 1 : 0);
const failed =
  // A file that cannot even be loaded fails without a test of its own.
  Math.max(tests.numFailedTests, tests.numFailedTestSuites, steps.at(-1)?.passed === false ? 1 : 0) +
  others.filter((step) => !step.passed).length +
  (faults.length === 0 ? 0 : 1);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The report of this run; none when vitest could not write one. */
function readReport(step: StepResult | undefined): TestReport {
  const none = { numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 0, testResults: [] };
  if (step === undefined) return none;
  try {
    const report: TestReport & { startTime: number } = JSON.parse(readFileSync(REPORT, 'utf8'));
    return report.startTime >= step.startedAt ? report : none;
  } catch {
    return none;
  }
}

function passedNames(report: TestReport): string[] {
  return report.testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'passed')
    .map((test) => test.fullName);
}
