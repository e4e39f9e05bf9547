import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TestRun {
  readonly passed: readonly string[];
  readonly failed: readonly Failure[];
}

export interface Failure {
  readonly test: string;
  readonly file: string;
  readonly message: string;
}

/** What vitest reports in JSON. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Beyond this a run is ended, and counts as failed: a broken rule may well be one that ends something. */
const LIMIT_MS = 600_000;
const ENDLESS: Failure = { test: 'no test: the run had no end', file: '', message: `timed out in ${LIMIT_MS}ms` };

export interface Selection {
  /** Of the names of tests. */
  readonly pattern: string;
  readonly files: readonly string[];
  /** Whether to end at the first failure. */
  readonly bail: boolean;
}

/** Runs the tests of these files whose names fit the pattern, in this folder. */
export async function runTests(folder: string, { pattern, files, bail }: Selection): Promise<TestRun> {
  const report = join(folder, 'node_modules', '.prove.json');
  rmSync(report, { force: true });
  const only = ['--testNamePattern', pattern, ...(bail ? ['--bail', '1', '--maxWorkers', '1'] : [])];
  const output = ['--reporter', 'json', `--outputFile.json=${report}`];
  const child = spawn(
    process.execPath,
    [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', ...only, ...output, ...files],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
  const limit = setTimeout(end, LIMIT_MS);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  clearTimeout(limit);
  if (child.signalCode === 'SIGKILL') return { passed: [], failed: [ENDLESS] };
  return read(report, folder, said);
}

/** Throws when something failed that is no test: a mutant that cannot be loaded proves nothing. */
function read(path: string, folder: string, said: string): TestRun {
  if (!existsSync(path)) throw new Error(`vitest wrote no report: ${said}`);
  const report: Report = JSON.parse(readFileSync(path, 'utf8'));
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name.replace(`${folder}/`, '') })),
  );
  const failed = tests.filter(({ status }) => status === 'failed');
  // Once a test has failed, files that were not begun count as failed as well.
  const unloaded = failed.length > 0 ? undefined : report.testResults.find(({ status }) => status === 'failed');
  if (unloaded !== undefined) throw new Error(`${unloaded.name} failed, and no test did: ${unloaded.message}`);
  return {
    passed: tests.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
    failed: failed.map(({ fullName: test, file, failureMessages }) => ({
      test,
      file,
      message: failureMessages?.join('\n') ?? '',
    })),
  };
}
