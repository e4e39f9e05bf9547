import { numberWords } from '../bench/printout.ts';
import type { Minute, SoakReport } from '../soak/soak-run.ts';
import { markdownTable, type Origin, originLine, readResult } from './result.ts';

export interface SoakResult extends Origin, SoakReport {
  /** Minutes that a transaction was held open. */
  readonly held: number;
  /** What else the machine did; empty: nothing. */
  readonly note: string;
}

/** Of the deliveries of the first minute, those of the worst. */
export function leastShare(minutes: readonly Pick<Minute, 'perSecond'>[]): number {
  return Math.min(...minutes.map(({ perSecond }) => perSecond / (minutes[0]?.perSecond ?? NaN)));
}

const HEAD = [
  'minute',
  'delivered a second',
  'p50, ms',
  'p99, ms',
  'database, µs an event',
  'routers, µs an event',
  'dead rows',
  'queue and tries, MB',
  'pages to the first of a queue',
];

export function soakPage(): string {
  const result = readResult('soak');
  const { minutes, perSecond, capacity, held, note, lost, repeated, sent } = result;
  const rows = minutes.map((minute, index) => [
    `${index + 1}${minute.held ? ', held' : ''}`,
    ...[minute.perSecond, minute.p50Ms, minute.p99Ms, minute.databaseUs, minute.routerUs].map(numberWords),
    ...[minute.dead, Math.round(minute.hotMb), minute.headPages].map(numberWords),
  ]);
  return `# Half load for long

Two routers on PostgreSQL get half of what they can deliver (${numberWords(perSecond)} of ${numberWords(capacity)} events a second) for ${minutes.length} minutes. Autovacuum is at work; in the middle a transaction is held open for ${held} minutes, so that no dead row can be removed. A fifth of the events goes to a destination that keeps the order of each user, and so through the queue; another fifth to destinations that refuse one of five at first. Latency is from when an event was to be sent to its webhook, where destinations take everything at once. The last column is what a look at the queue from its very beginning reads; routers look from where they last found it to begin.

${originLine(result)}${note === '' ? '' : ` · ${note}`}

The minute with the fewest deliveries had ${leastShare(minutes).toFixed(2)} of those of the first (aim: ≥ 0.90). Of ${numberWords(sent)} events ${lost} were lost, and ${repeated} came twice.

${markdownTable(HEAD, rows)}
`;
}
