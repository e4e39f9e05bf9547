import type { Queries } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';

/** What the server says of a statement that it has carried out. */
export interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Node }[];
}

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** Rows that all steps of a plan have looked at, however often. */
export function rowsOf(row: Explained | undefined): number {
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  return plan === undefined ? 0 : rowsIn(plan);
}

function rowsIn(node: Node): number {
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return each * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0);
}

/** What a plan can be asked of. */
const PLANNED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** What is kept in memory of so few rows is too much: as with millions of them, at the usual size. */
const SMALL_MEMORY = script("SET LOCAL work_mem = '64kB'; SET LOCAL hash_mem_multiplier = 1");

export type OnLook = (statement: string, rows: number) => void;

/** Within a transaction: tells of each statement, by its name, how many rows it looks at. */
export function explained(queries: Queries, onLook: OnLook): Queries {
  return {
    async run(statement, values) {
      if (!PLANNED.test(statement.text)) return queries.run(statement, values);
      await queries.run(SMALL_MEMORY);
      await queries.run(script('SAVEPOINT look'));
      const explain = reads('', `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`);
      const [row] = await queries.run<Explained>(explain, values);
      await queries.run(script('ROLLBACK TO look'));
      onLook(statement.name || 'the definition', rowsOf(row));
      return queries.run(statement, values);
    },
  };
}
