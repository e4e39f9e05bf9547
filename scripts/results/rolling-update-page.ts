import { figuresTable, type Origin, originLine, readResult } from './result.ts';

export interface RollingUpdateResult extends Origin {
  /** The commit of the routers that were replaced. */
  readonly from: string;
  readonly acknowledged: number;
  readonly lost: number;
  readonly repeated: number;
  readonly unended: number;
  /** Requests that were sent again. */
  readonly refused: number;
  /** Replays and deletions. */
  readonly jobs: number;
  readonly jobsLeft: number;
  /** Of the database, before and after. */
  readonly formats: readonly number[];
}

export function rollingUpdatePage(): string {
  const result = readResult('rolling-update');
  const figures = [
    ['events acknowledged', result.acknowledged],
    ['lost', result.lost],
    ['delivered twice', result.repeated],
    ['not ended', result.unended],
    ['requests refused, and sent again', result.refused],
    ['replays and deletions asked for meanwhile', result.jobs],
    ['of them not ended, or not right', result.jobsLeft],
  ] as const;
  const [before, after] = result.formats;
  return `# A rolling update

Three routers of commit ${result.from} on PostgreSQL are stopped and replaced one by one under load ([how](../postgresql.md#upgrades)); the tables go from format ${before} to ${after}.

${originLine(result)}

${figuresTable(figures)}
`;
}
