import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface MutationResult extends Origin {
  /** The newest of each set of files. */
  readonly runs: readonly MutationRun[];
  /** Why a mutant stays: the name of each kind of them that no test can kill, or need not, and what it is. */
  readonly kinds: Readonly<Record<string, string>>;
}

export interface MutationRun {
  readonly files: string;
  readonly date: string;
  readonly commit: string;
  readonly mutants: number;
  readonly killed: number;
  /** How many of its survivors were read and stay, by their kind; of others nothing is written down. */
  readonly stay?: Readonly<Record<string, number>>;
}

export function mutationPage(): string {
  const result = readResult('mutation');
  const rows = result.runs.map((run) => {
    const { files, date, commit, mutants, killed } = run;
    return [
      files,
      date,
      commit,
      String(mutants),
      String(killed),
      ((100 * killed) / mutants).toFixed(1),
      survivors(run),
    ];
  });
  const kinds = Object.entries(result.kinds).map(([name, what]) => `- **${name}**: ${what}`);
  return `# Mutation runs

Beside \`npm run prove\`, which breaks each rule on purpose, \`npm run test:mutation -- <files>\` lets StrykerJS change source files in every small
way that it knows, and lists what no test notices. It takes minutes for a file, and is no part of CI. Only tests
that are near a file run (\`scripts/mutation/tests.ts\`), so a score is the least that is true. What is read only when a module is
loaded (tables, patterns, limits) is left out.

${originLine(result)}

${markdownTable(['files', 'date', 'commit', 'mutants', 'killed', 'score, %', 'survivors'], rows)}

## Survivors that stay

Each survivor of a file is read, and killed by a test, or by simpler code, or stays for one of these reasons. "Not explained" are those of which
nothing was written down.

${kinds.join('\n')}
`;
}

/** Of a run, what its survivors are. */
export function survivors({ mutants, killed, stay = {} }: MutationRun): string {
  const left = unexplainedOf({ mutants, killed, stay });
  const read = Object.entries(stay).map(([kind, count]) => `${count} ${kind}`);
  return [...read, ...(left > 0 ? [`${left} not explained`] : [])].join(', ');
}

/** How many nobody has explained; below zero where more were than survived. */
export function unexplainedOf({
  mutants,
  killed,
  stay = {},
}: Pick<MutationRun, 'mutants' | 'killed' | 'stay'>): number {
  return Object.values(stay).reduce((left, count) => left - count, mutants - killed);
}
