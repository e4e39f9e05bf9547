import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ProjectCopy } from '../prove/project-copy.ts';
import type { Tests } from './tests.ts';

const VERSION = '10.1.1';

export interface Score {
  readonly mutants: number;
  readonly killed: number;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/**
 * StrykerJS in a copy of the project. It and its 140 packages are fetched at the first run, at fixed versions: nobody who only
 * starts Waybill waits for them.
 */
export class Stryker implements Disposable {
  readonly #copy: ProjectCopy;
  readonly #cache: string;

  constructor(root: string) {
    this.#cache = join(root, 'node_modules/.cache/stryker');
    fetchPackages(this.#cache, root);
    this.#copy = new ProjectCopy(root);
  }

  /** Tries the mutants of one file; what did not change since its last run is taken from it. */
  run(file: string, tests: Tests): Score {
    const { folder } = this.#copy;
    const test = { ...tests, testTimeout: 120_000, env: { NODE_ENV: 'production' } };
    writeFileSync(
      join(folder, 'vitest.mutation.config.ts'),
      `import config from './vitest.config.ts';
export default { test: { ...${JSON.stringify(test)}, tags: config.test.tags } };\n`,
    );
    const report = join(folder, 'mutation.json');
    writeFileSync(join(folder, 'stryker.json'), JSON.stringify(this.#configOf(file, report)));
    const command = join(this.#cache, 'node_modules/@stryker-mutator/core/bin/stryker.js');
    run(process.execPath, [command, 'run', 'stryker.json'], folder);
    return scoreOf(JSON.parse(readFileSync(report, 'utf8')));
  }

  #configOf(file: string, report: string): object {
    return {
      mutate: [file],
      testRunner: 'vitest',
      plugins: [createRequire(join(this.#cache, 'package.json')).resolve('@stryker-mutator/vitest-runner')],
      vitest: { related: true, configFile: 'vitest.mutation.config.ts' },
      coverageAnalysis: 'perTest',
      incremental: true,
      incrementalFile: join(this.#cache, `${file.replaceAll('/', '.')}.json`),
      // What is read when a module is loaded would take all tests for each mutant.
      ignoreStatic: true,
      concurrency: 2,
      timeoutMS: 15_000,
      reporters: ['clear-text', 'progress-append-only', 'json'],
      jsonReporter: { fileName: report },
      clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    };
  }

  [Symbol.dispose](): void {
    this.#copy[Symbol.dispose]();
  }
}

function fetchPackages(folder: string, root: string): void {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(`"@stryker-mutator/core":"${VERSION}"`)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, '{"private":true}');
  // Its peer is the project's own vitest.
  run('npm', ['install', '--save-exact', '--legacy-peer-deps', '--loglevel=error', ...packages], folder);
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
}

/** What cannot run, or was left out as static, is no mutant. */
function scoreOf(report: Report): Score {
  const all = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...kinds: readonly string[]): number => all.filter((status) => kinds.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  return { killed, mutants: killed + count('Survived', 'NoCoverage') };
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args[0]} ended with ${status ?? String(error)}`);
}
