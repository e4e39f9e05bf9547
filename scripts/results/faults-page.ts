import { markdownTable, type Origin, readResult } from './result.ts';

/** One run of many faults. */
export interface FaultsRow extends Origin {
  readonly seed: number;
  readonly faults: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly repeated: number;
  /** Of what was repeated: not under way at any fault. */
  readonly unexplained: number;
  readonly afterLease: number;
  readonly unended: number;
  /** Replays and deletions … */
  readonly jobs: number;
  /** … that did not end, or not right. */
  readonly wrongJobs: number;
  /** Routers that ended by themselves, or took no event any more; absent where that was not counted yet. */
  readonly deaths?: number;
  /** What a reader of the figures has to know. */
  readonly note?: string;
}

const COUNTED = [
  'faults',
  'acknowledged',
  'lost',
  'repeated',
  'unexplained',
  'afterLease',
  'unended',
  'jobs',
  'wrongJobs',
  'deaths',
] as const;
const HEAD = [
  'faults',
  'acknowledged',
  'lost',
  'repeated',
  'of these not under way at a fault',
  'sent after a lease',
  'not ended',
  'replays and deletions',
  'of these not ended, or not right',
  'routers that ended by themselves, or took no event any more',
];

export function faultsPage(): string {
  const { rows } = readResult('faults');
  const sums = COUNTED.map((figure) => rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0));
  const cells = rows.map((row) => [
    String(row.seed),
    `${row.date} · ${row.commit}`,
    ...COUNTED.map((figure) => row[figure]?.toLocaleString('en') ?? '–'),
  ]);
  const notes = rows.flatMap(({ seed, commit, note }) => (note === undefined ? [] : [`- ${seed}, ${commit}: ${note}`]));
  const total = ['all', '', ...sums.map((sum) => sum.toLocaleString('en'))];
  return `# Faults

Three routers on PostgreSQL with a synchronous standby, under load, while one after the other is killed, paused, stalled or cut off, answers are lost, the primary crashes or is lost, an old one returns, the standby takes over as it was before it was cut off, and transactions stay open. A router asks for its lease right before a request leaves it: one that is stopped between the two sends that request when it wakes up, which counts as sent after a lease. \`npm run test:faults -- <faults> <seed> --save\` adds a run.

${markdownTable(['seed', 'date and commit', ...HEAD], [...cells, total])}
${notes.length === 0 ? '' : `\n${notes.join('\n')}\n`}`;
}
