import { markdownTable, type Origin, originLine, readResult } from '../results/result.ts';
import type { Mutant } from './mutant.ts';
import type { Verdict } from './trial.ts';

/** What is known of the mutants; its origin is that of the last run of all. */
export interface ProveResult extends Origin {
  readonly seconds: number;
  readonly rows: readonly Row[];
}

/** How one mutant ended. */
export interface Row {
  readonly rule: string;
  readonly breaks: string;
  /** The test that failed; null when none did. */
  readonly test: string | null;
  /** Set when the test did not fail by what it expects. */
  readonly timedOut?: true;
}

/** One line for each mutant, for a terminal. */
export function printedLine({ mutant, killedBy, seconds }: Verdict): string {
  const end =
    killedBy === undefined
      ? 'SURVIVED'
      : `killed by ${nameOf(killedBy.test)} (${killedBy.file})${hasTimedOut(killedBy) ? ', which timed out' : ''}`;
  return `${killedBy === undefined ? '✗' : '✓'} ${mutant.rule.padEnd(8)}${mutant.breaks}\n    ${end}, ${seconds.toFixed(0)} s`;
}

export function rowOf({ mutant: { rule, breaks }, killedBy }: Verdict): Row {
  if (killedBy === undefined) return { rule, breaks, test: null };
  return { rule, breaks, test: nameOf(killedBy.test), ...(hasTimedOut(killedBy) ? { timedOut: true } : {}) };
}

/** In the order of the mutants; those that were not tried this time as they were. */
export function rowsOf(mutants: readonly Mutant[], fresh: readonly Row[], before: readonly Row[]): Row[] {
  const known = new Map([...before, ...fresh].map((row) => [keyOf(row), row]));
  return mutants.flatMap((mutant) => known.get(keyOf(mutant)) ?? []);
}

export function provePage(): string {
  const result = readResult('prove');
  const rows = result.rows.map(({ rule, breaks, test, timedOut }) => {
    return [rule, breaks, test === null ? '**survived**' : `${test}${timedOut ? ', which timed out' : ''}`];
  });
  return `# Rules, proven by breaking them

A rule of [rules.md](../rules.md) counts as proven when a test that names it fails once the rule is broken. \`npm run prove\`
breaks each of them, one small edit of the source at a time, in a copy. The edits stand in \`scripts/prove/mutants/\`; \`npm test\`
checks that every proven rule has one, and that this table has them all.

Last run of all: ${originLine(result)}, ${result.seconds} s.

${markdownTable(['rule', 'broken so that', 'the test that fails'], rows)}
`;
}

/** Where the rows and the mutants disagree. */
export function tableFaults(mutants: readonly Mutant[], rows: readonly Row[]): string[] {
  const known = new Set(rows.map(keyOf));
  const wanted = new Set(mutants.map(keyOf));
  return [
    ...mutants
      .filter((mutant) => !known.has(keyOf(mutant)))
      .map(({ rule, breaks }) => `there is no result of ${rule} (${breaks}): ${mend(rule)}`),
    ...rows
      .filter((row) => !wanted.has(keyOf(row)))
      .map(({ rule, breaks }) => `there is a result of ${rule} without a mutant (${breaks}): ${mend(rule)}`),
    ...rows
      .filter(({ test }) => test === null)
      .map(
        ({ rule, breaks }) =>
          `a mutant of ${rule} survived (${breaks}): write the test that kills it, then ${mend(rule)}`,
      ),
  ];
}

function keyOf({ rule, breaks }: Pick<Row, 'rule' | 'breaks'>): string {
  return `${rule} ${breaks}`;
}

/** A name without the rules in front of it, which the row has already. */
function nameOf(test: string): string {
  return test.replace(/^(?:(?!: ).)*?: /, '');
}

function hasTimedOut({ message }: { readonly message: string }): boolean {
  return /timed out in \d+ ?ms/.test(message);
}

function mend(rule: string): string {
  return `run npm run prove -- --rule ${rule}, which writes docs/results/`;
}
