import { availableParallelism } from 'node:os';
import type { Mutant } from './mutant.ts';
import { ProjectCopy } from './project-copy.ts';
import { TestFiles } from './test-files.ts';
import type { Failure } from './test-run.ts';
import { failingAnyway, tryMutant, type Verdict } from './trial.ts';

export interface Trials {
  /** In the order of the mutants. */
  readonly verdicts: readonly Verdict[];
  /** Mutants that could not be tried, and tests that fail without any. */
  readonly broken: readonly Failure[];
}

/** Tries as many mutants at a time as there are cores, each in a copy of its own. */
export async function tryAll(
  mutants: readonly Mutant[],
  root: string,
  onVerdict: (verdict: Verdict) => void,
): Promise<Trials> {
  const files = new TestFiles(root);
  const queue = [...mutants.entries()];
  const done: Verdict[] = [];
  const broken: Failure[] = [];
  using copies = new DisposableStack();
  const work = async ({ folder }: ProjectCopy): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, mutant] = next;
      try {
        const verdict = await tryMutant(mutant, folder, files);
        done[at] = verdict;
        onVerdict(verdict);
      } catch (error) {
        broken.push({ test: `the mutant of ${mutant.rule}`, file: mutant.file, message: String(error) });
      }
    }
  };
  const count = Math.min(availableParallelism(), mutants.length);
  const [first, ...others] = Array.from({ length: count }, () => copies.use(new ProjectCopy(root)));
  if (first === undefined) return { verdicts: [], broken };
  await Promise.all([first, ...others].map(work));
  const verdicts = Object.values(done);
  return { verdicts, broken: [...broken, ...(await failingAnyway(verdicts, first.folder))] };
}
