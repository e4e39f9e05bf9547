/**
 * `npm test [-- --peers] [--long [--save]]`: everything that CI checks; it goes on after a failure, so that all are seen. With
 * `--peers` also what needs packages from the registry, as CI does; with `--long` also the tests of that tag.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runInTurn, runStep, type StepResult } from './check/step.ts';
import { TYPES_AND_LINT, TYPES_OF_GENERATED } from './check/types.ts';
import { ROOT } from './generate/outputs.ts';
import { binIn } from './peers/embedded-postgres.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import { coverageFaults, coverageTable, ruleCoverage } from './rules/rule-coverage.ts';

const REPORT = join(ROOT, 'node_modules/.cache/waybill-tests.json');
const TESTS = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const FLAG = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { peers: FLAG, long: FLAG, save: FLAG } });
const startedAt = performance.now();
/** With packages that no test has. It waits for the registry, and for other runtimes, for most of its time. */
const PEERS = [
  { title: 'packed packages beside those of others', command: ['node', 'scripts/peers/matrix.ts', '--ci'] },
];
/** Where the newest server is, on which the tests of the storage run as well: on their own they have that of the system. */
const newest = values.peers ? mkdtempSync(join(tmpdir(), 'waybill-postgres-of-npm-')) : undefined;
process.once('exit', () => newest && rmSync(newest, { recursive: true, force: true }));
const INSTALLS = (newest === undefined ? [] : [newest]).map((folder) => ({
  title: 'the newest PostgreSQL is installed',
  command: ['node', 'scripts/peers/newest-postgres.ts', '--install', folder],
}));

/** At the same time: two at once keep two cores busy, and hold no more memory than a small machine has. */
const checks = await Promise.all([
  runInTurn([
    { title: 'generated code is fresh', command: ['node', 'scripts/generate.ts', '--check'] },
    { title: 'contract is compatible with the released one', command: ['node', 'scripts/compatibility.ts'] },
    { title: 'format', command: ['oxfmt', '--check'] },
    ...INSTALLS,
  ]),
  runInTurn([
    { title: 'types and lint', command: TYPES_AND_LINT },
    { title: 'types of generated code', command: TYPES_OF_GENERATED },
  ]),
]);
const [peers, testStep] = await Promise.all([
  runInTurn(values.peers ? PEERS : []),
  runStep({
    title: 'tests',
    command: values.long ? TESTS : [...TESTS, '--tags-filter=!long'],
    ...(newest && { environment: { NEWEST_PGBIN: binIn(newest) } }),
  }),
]);
const tests = readReport(testStep);
const coverage = ruleCoverage(passedNames(tests));
const faults = coverageFaults(coverage);
console.log(`\n${coverageTable(coverage)}`);
for (const fault of faults) console.log(`✗ ${fault}`);

const others = [...checks.flat(), ...peers];
for (const { title, passed } of [...others, testStep]) if (!passed) console.log(`✗ ${title}: see above`);
const passed = tests.numPassedTests + others.filter((step) => step.passed).length + (faults.length === 0 ? 1 : 0);
const failed =
  // A file that cannot even be loaded fails without a test of its own.
  Math.max(tests.numFailedTests, tests.numFailedTestSuites, testStep.passed ? 0 : 1) +
  others.filter((step) => !step.passed).length +
  (faults.length === 0 ? 0 : 1);
if (values.long && values.save) {
  const minutes = Math.round((performance.now() - startedAt) / 60_000);
  writeResult('tests', { ...originNow('npm run test -- --long'), passed, failed, minutes });
  writePages();
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The report of this run; none when vitest could not write one. */
function readReport(step: StepResult): TestReport {
  const none = { numPassedTests: 0, numFailedTests: 1, numFailedTestSuites: 0, testResults: [] };
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
