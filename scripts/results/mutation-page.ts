import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface MutationResult extends Origin {
  /** The newest of each set of files. */
  readonly runs: readonly MutationRun[];
  /** Kinds of mutants that no test can kill, or need not. */
  readonly accepted: readonly string[];
}

export interface MutationRun {
  readonly files: string;
  readonly date: string;
  readonly commit: string;
  readonly mutants: number;
  readonly killed: number;
}

export function mutationPage(): string {
  const result = readResult('mutation');
  const rows = result.runs.map(({ files, date, commit, mutants, killed }) => {
    return [files, date, commit, String(mutants), String(killed), ((100 * killed) / mutants).toFixed(1)];
  });
  return `# Mutation runs

Beside \`npm run prove\`, which breaks each rule on purpose, \`npm run test:mutation -- <files>\` lets StrykerJS change source files in every small
way that it knows, and lists what no test notices. It takes minutes for a file, and is no part of CI. Only tests
that are near a file run, so a score is the least that is true. What is read only when a module is
loaded (tables, patterns, limits) is left out.

${originLine(result)}

${markdownTable(['files', 'date', 'commit', 'mutants', 'killed', 'score, %'], rows)}

## Survivors that stay

${result.accepted.map((one) => `- ${one}`).join('\n')}
`;
}
