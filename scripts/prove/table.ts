import type { Mutant } from './mutant.ts';
import type { Verdict } from './trial.ts';

/** One mutant, as the table in the docs tells of it. */
export interface Row {
  readonly rule: string;
  readonly breaks: string;
  readonly outcome: string;
}

const SURVIVED = '**survived**';
const ROW = /^\| ([A-Z]+-\d+) \| (.+) \| (.+) \|$/gm;

const HEAD = `# Rules, proven by breaking them

A rule of [rules.md](../rules.md) counts as proven when a test that names it fails once the rule is broken. \`npm run prove\`
breaks each of them, one small edit of the source at a time, in a copy, and wrote this table. The edits stand in
\`scripts/prove/mutants/\`; \`npm test\` checks that every proven rule has one, and that this table has them all.
`;

/** One line for each mutant, for a terminal. */
export function printedLine({ mutant, killedBy, seconds }: Verdict): string {
  const end =
    killedBy === undefined ? 'SURVIVED' : `killed by ${nameOf(killedBy.test)} (${killedBy.file})${late(killedBy)}`;
  return `${killedBy === undefined ? '✗' : '✓'} ${mutant.rule.padEnd(8)}${mutant.breaks}\n    ${end}, ${seconds.toFixed(0)} s`;
}

export function rowOf({ mutant, killedBy }: Verdict): Row {
  const outcome = killedBy === undefined ? SURVIVED : `${cell(nameOf(killedBy.test))}${late(killedBy)}`;
  return { rule: mutant.rule, breaks: cell(mutant.breaks), outcome };
}

export function readRows(document: string): Row[] {
  return [...document.matchAll(ROW)].map(([, rule = '', breaks = '', outcome = '']) => ({ rule, breaks, outcome }));
}

/** The page, with the rows of mutants that were not tried this time as they were. In the order of the mutants. */
export function page(
  mutants: readonly Mutant[],
  fresh: readonly Row[],
  before: readonly Row[],
  lastRun: string,
): string {
  const known = new Map([...before, ...fresh].map((row) => [keyOf(row), row]));
  const rows = mutants.flatMap(({ rule, breaks }) => known.get(keyOf({ rule, breaks: cell(breaks) })) ?? []);
  const lines = rows.map(({ rule, breaks, outcome }) => `| ${rule} | ${breaks} | ${outcome} |`);
  return [HEAD, lastRun, '', '| rule | broken so that | the test that fails |', '|---|---|---|', ...lines, ''].join(
    '\n',
  );
}

/** The line that says when all of the table was made in one run. */
export function readLastRun(document: string): string | undefined {
  return /^Last whole run: .*$/m.exec(document)?.[0];
}

/** Where the table and the mutants disagree. */
export function tableFaults(mutants: readonly Mutant[], document: string): string[] {
  const rows = readRows(document);
  const inTable = new Set(rows.map(keyOf));
  const wanted = new Set(mutants.map(({ rule, breaks }) => keyOf({ rule, breaks: cell(breaks) })));
  return [
    ...mutants
      .filter(({ rule, breaks }) => !inTable.has(keyOf({ rule, breaks: cell(breaks) })))
      .map(({ rule, breaks }) => `the table has no row of ${rule} (${breaks}): ${mend(rule)}`),
    ...rows
      .filter((row) => !wanted.has(keyOf(row)))
      .map(({ rule, breaks }) => `the table has a row of ${rule} without a mutant (${breaks}): ${mend(rule)}`),
    ...rows
      .filter(({ outcome }) => outcome === SURVIVED)
      .map(
        ({ rule, breaks }) =>
          `a mutant of ${rule} survived (${breaks}): write the test that kills it, then ${mend(rule)}`,
      ),
  ];
}

/** A name as a row of the table can hold it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function keyOf({ rule, breaks }: Pick<Row, 'rule' | 'breaks'>): string {
  return `${rule} ${breaks}`;
}

/** A name without the rules in front of it, which the row has already. */
function nameOf(test: string): string {
  return test.replace(/^(?:(?!: ).)*?: /, '');
}

function late({ message }: { readonly message: string }): string {
  return /timed out in \d+ ?ms/.test(message) ? ', which timed out' : '';
}

function mend(rule: string): string {
  return `run npm run prove -- --rule ${rule}, which mends docs/results/prove.md`;
}
