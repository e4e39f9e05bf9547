import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';
import { figureOf } from './bench-page.ts';
import { withPart } from './page-part.ts';
import { markdownTable, originLine, readResult } from './result.ts';

const ARRIVALS = ['in batches of 20', 'one event a request'] as const;
const PER_SECOND = 1_000;
const DAY_S = 86_400;

/** `docs/postgresql.md`, with what a thousand events a second take by what one of them was measured to cost. */
export function sizingPage(): string {
  const result = readResult('bench-routers');
  const figure = (what: string): number => figureOf(result, what).value;
  const cores = (what: string): string => ((figure(what) * PER_SECOND) / 1e6).toFixed(2);
  const rows = ARRIVALS.map((arrival) => [
    arrival,
    cores(`routers, ${arrival}`),
    cores(`database, ${arrival}`),
    `${((figure(`write-ahead log, ${arrival}`) * PER_SECOND) / 1e6).toFixed(1)} MB a second`,
    `${Math.round((figure(`disk, ${arrival}`) * PER_SECOND * DAY_S) / 1e9)} GB a day`,
  ]);
  const head = ['events arrive', 'routers, cores', 'database, cores', 'write-ahead log', 'disk'];
  const text = `${markdownTable(head, rows)}\n\n${originLine(result)}`;
  return withPart(readFileSync(join(ROOT, 'docs/postgresql.md'), 'utf8'), 'sizing', text);
}
