import { figuresTable, markdownTable, type Origin, originLine, readResult } from './result.ts';

/** One call of the command. */
export interface ImportRun {
  readonly name: string;
  readonly seconds: number;
  /** Those that the service got, refused ones included. */
  readonly requests: number;
  /** Those that it answered with 429. */
  readonly refused: number;
  /** What was made or changed, and told. */
  readonly steps: number;
}

export interface ImportFigures {
  readonly sources: number;
  /** What the service allows. */
  readonly perMinute: number;
  readonly runs: readonly ImportRun[];
  /** What was carried, by kind. */
  readonly carried: Readonly<Record<string, number>>;
  /** What the report tells, by cause. */
  readonly reported: Readonly<Record<string, number>>;
  /** Sources that have the write key that they had there. */
  readonly keysKept: number;
  /** Whether the export of the import that was killed and started again equals that of the whole one. */
  readonly isSame: boolean;
}

export type ImportResult = Origin & ImportFigures;

export function importSegmentPage(): string {
  const result = readResult('import-segment');
  const { sources, perMinute, runs, carried, reported, keysKept, isSame } = result;
  const head = ['import', 'seconds', 'requests to the service', 'of them answered with 429', 'steps'];
  const rows = runs.map((run) => [run.name, ...[run.seconds, run.requests, run.refused, run.steps].map(shown)]);
  return `# An import of ${sources} sources

From a stand-in that answers as the service does that Waybill takes sources from: pages of 30, errors for what was never set up, and ${perMinute} requests a minute; every other refusal does not say how long to wait ([how](../leaving-segment.md#1-bring-the-configuration)).

${originLine(result)}

${markdownTable(head, rows)}

What was killed and started again is ${isSame ? 'the same as' : 'not the same as'} the whole, in \`waybill export\`. ${keysKept} of ${sources} sources have their write key.

What was carried:

${figuresTable(Object.entries(carried))}

What the report tells, by cause:

${figuresTable(Object.entries(reported))}
`;
}

function shown(figure: number): string {
  return figure.toLocaleString('en');
}
