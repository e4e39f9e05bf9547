import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutated } from './mutant.ts';
import { exactly, namePattern, type TestFiles } from './test-files.ts';
import { type Failure, runTests } from './test-run.ts';

/** As often a mutant is tried when a failure does not come again. */
const RUNS = 2;

export interface Verdict {
  readonly mutant: Mutant;
  /** Undefined: it survived. */
  readonly killedBy: Failure | undefined;
  readonly seconds: number;
}

/** Breaks a rule in a copy, and runs the tests that name it: the quick ones first, the others when none of them failed. */
export async function tryMutant(mutant: Mutant, folder: string, files: TestFiles): Promise<Verdict> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  const startedAt = performance.now();
  const { near, far } = files.naming([mutant.rule]);
  writeFileSync(path, mutated(mutant, text));
  try {
    const killedBy = (await killer(mutant, folder, near)) ?? (await killer(mutant, folder, far));
    return { mutant, killedBy, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    writeFileSync(path, text);
  }
}

/** The first test that fails, and fails again when it is run alone: one that does not was failed by the machine. */
async function killer({ rule }: Mutant, folder: string, files: readonly string[]): Promise<Failure | undefined> {
  if (files.length === 0) return undefined;
  const pattern = namePattern([rule]);
  for (let run = 1; run <= RUNS; run += 1) {
    const [first] = (await runTests(folder, { pattern, files, bail: true })).failed;
    if (first === undefined || first.file === '') return first;
    const again = { pattern: exactly([first.test]), files: [first.file], bail: true };
    if ((await runTests(folder, again)).failed.length > 0) return first;
  }
  return undefined;
}

/** Runs, without any mutant, every test that killed one: a test that does not pass anyway has killed nothing. */
export async function failingAnyway(verdicts: readonly Verdict[], folder: string): Promise<readonly Failure[]> {
  const killers = verdicts.flatMap(({ killedBy }) =>
    killedBy === undefined || killedBy.file === '' ? [] : [killedBy],
  );
  const files = [...new Set(killers.map(({ file }) => file))];
  if (files.length === 0) return [];
  const pattern = exactly(killers.map(({ test }) => test));
  const { passed, failed } = await runTests(folder, { pattern, files, bail: false });
  const good = new Set(passed);
  return killers
    .filter(({ test }) => !good.has(test))
    .map((one) => failed.find(({ test }) => test === one.test) ?? { ...one, message: 'it was not run' });
}
