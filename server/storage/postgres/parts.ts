import type { Queries } from './connection/database.ts';
import { reads } from './connection/statement.ts';

/** 4 MB of a table: some milliseconds of a statement. */
const BLOCKS = 500;

const SIZE = reads(
  'table_size',
  `SELECT pg_relation_size(to_regclass($1)) / current_setting('block_size')::bigint AS blocks`,
);

/** Holds of the rows of a part, whose bounds are this parameter and the next. */
export function inPart(parameter: number): string {
  return `ctid >= $${parameter}::tid AND ctid < $${parameter + 1}::tid`;
}

/**
 * For what looks at a whole table: a statement for each part of it, one after the other. However much a tenant has in it, none is ended for
 * taking too long. A row that is changed meanwhile may move to a later part, or to one that was looked at already.
 */
export async function eachPart(
  queries: Queries,
  table: string,
  run: (bounds: readonly [from: string, to: string]) => Promise<unknown>,
): Promise<void> {
  const [size] = await queries.run<{ readonly blocks: number }>(SIZE, [table]);
  for (let from = 0; from < (size?.blocks ?? 0); from += BLOCKS) await run([`(${from},0)`, `(${from + BLOCKS},0)`]);
}
