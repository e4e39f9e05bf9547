/**
 * `npm run test:mutation -- server/events/route.ts client/analytics/batch.ts`: every small change that StrykerJS makes of
 * these files, in a copy, and which of them no test notices. Not part of CI: a file takes minutes. Prints the score and the
 * survivors; docs/results/mutation.md has what was found.
 *
 * StrykerJS and its 140 packages are fetched for the run, at fixed versions: nobody who only starts Waybill waits for them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './generate/root.ts';
import { ProjectCopy } from './prove/project-copy.ts';

const STRYKER = '10.1.1';
/** Those that need no process of their own, nor seconds: they run once for each mutant. */
const TESTS = [
  'client/tests/{rules,compliance,faults}/analytics-*.test.ts',
  'client/tests/architecture/analytics-names.test.ts',
  'server/tests/rules/{routing,filter,fql,ing-,cfg-11,hook-,d-2,destination-queue,scheduler,router-stalls}*.test.ts',
  'server/tests/faults/{policy,transport,ssrf,hostile-answers}*.test.ts',
];
const SLOW = ['**/analytics-{process-end,crash,no-loss}*', '**/hook-16-delete*', '**/hook-10-{enumeration,round}*'];

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run test:mutation -- <source files or globs, such as client/analytics/queue.ts>');
  process.exit(2);
}
using copy = new ProjectCopy(ROOT);
const tool = fetchStryker(join(copy.folder, 'node_modules/.stryker'));
writeFileSync(join(copy.folder, 'vitest.mutation.config.ts'), vitestConfig());
writeFileSync(join(copy.folder, 'stryker.json'), JSON.stringify(strykerConfig(tool)));
const command = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js');
run(process.execPath, [command, 'run', 'stryker.json'], copy.folder);

function fetchStryker(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
  // Its peer is the project's own vitest.
  run('npm', ['install', '--legacy-peer-deps', '--loglevel=error', ...packages], folder);
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return folder;
}

function vitestConfig(): string {
  const test = { include: TESTS, exclude: SLOW, testTimeout: 120_000, env: { NODE_ENV: 'production' } };
  return `export default ${JSON.stringify({ test })};\n`;
}

function strykerConfig(folder: string): object {
  return {
    mutate: files,
    testRunner: 'vitest',
    plugins: [createRequire(join(folder, 'package.json')).resolve('@stryker-mutator/vitest-runner')],
    vitest: { related: true, configFile: 'vitest.mutation.config.ts' },
    coverageAnalysis: 'perTest',
    // What is read when a module is loaded would take all tests for each mutant.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 15_000,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  };
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status ?? String(error)}`);
}
