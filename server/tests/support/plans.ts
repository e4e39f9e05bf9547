import pg from 'pg';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import {
  type Database,
  openDatabase,
  type Queries,
  type Transactions,
} from '../../storage/postgres/connection/database.ts';
import { reads, script, type Statement } from '../../storage/postgres/connection/statement.ts';

/** A statement with the values that it was last asked with. */
export interface Asked {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** The same database, which notes each statement that is run. */
export function recorded(database: Database): { readonly database: Database; readonly asked: Map<string, Asked> } {
  const asked = new Map<string, Asked>();
  const noting = (queries: Queries): Queries => ({
    run: (statement, values = []) => {
      if (statement.name !== '') asked.set(statement.name, { statement, values });
      return queries.run(statement, values);
    },
  });
  const notingAll = (queries: Transactions): Transactions => ({
    ...noting(queries),
    transaction: (work) => queries.transaction((own) => work(noting(own))),
  });
  return {
    database: {
      ...database,
      ...notingAll(database),
      urgent: notingAll(database.urgent),
      patient: notingAll(database.patient),
    },
    asked,
  };
}

/** A step of a plan: what it does, on what, and what feeds it. Costs and estimates are left out. */
export interface PlanStep {
  readonly does: string;
  readonly table: string | undefined;
  readonly index: string | undefined;
  /** Whether the index is asked for a part of it; otherwise it is gone through from one end. */
  readonly isBounded: boolean;
  readonly steps: readonly PlanStep[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The plan that a new connection makes of a prepared statement, whatever it is asked with. */
export async function planOf(url: string, { statement, values }: Asked): Promise<PlanStep> {
  const database = openDatabase(readAddress(url));
  try {
    return await database.transaction(async (queries) => {
      await queries.run(script(`PREPARE planned AS ${statement.text}`));
      const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      const [row] = await queries.run<{ readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
        reads('', `EXPLAIN (FORMAT JSON) EXECUTE planned${given}`),
      );
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      if (plan === undefined) throw new Error(`no plan of ${statement.name}`);
      return stepOf(plan);
    });
  } finally {
    await database.close();
  }
}

interface Buffers {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** How many pages a statement reads that is asked once more, and rolled back. */
export async function buffersOf(database: Database, asked: Asked | undefined): Promise<number> {
  if (asked === undefined) throw new Error('the statement was never asked');
  const ended = new Error('enough');
  let pages = NaN;
  const look = database.transaction(async (queries) => {
    await queries.run(script(`PREPARE measured AS ${asked.statement.text}`));
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured(${asked.values.map(literal).join(', ')})`;
    const [row] = await queries.run<{ readonly 'QUERY PLAN': readonly { readonly Plan: Buffers }[] }>(
      reads('', explain),
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    pages = (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
    await queries.run(script('DEALLOCATE measured'));
    throw ended;
  });
  await look.catch((error: unknown) => {
    if (error !== ended) throw error;
  });
  return pages;
}

const PARAMETERS = reads(
  '',
  "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'planned'",
);

/** The plans of statements on a new connection; they are made without looking at values. */
export async function plansOf(url: string, statements: readonly Statement[]): Promise<ReadonlyMap<string, PlanStep>> {
  const database = openDatabase(readAddress(url));
  const plans = new Map<string, PlanStep>();
  try {
    await database.transaction(async (queries) => {
      for (const { name, text } of statements) {
        await queries.run(script(`PREPARE planned AS ${text}`));
        const [parameters] = await queries.run<{ readonly count: number }>(PARAMETERS);
        const given = Array.from({ length: parameters?.count ?? 0 }, () => 'NULL').join(', ');
        const explain = `EXPLAIN (FORMAT JSON) EXECUTE planned${given === '' ? '' : `(${given})`}`;
        const [row] = await queries.run<{ readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
          reads('', explain),
        );
        const plan = row?.['QUERY PLAN'][0]?.Plan;
        if (plan === undefined) throw new Error(`no plan of ${name}`);
        plans.set(name, stepOf(plan));
        await queries.run(script('DEALLOCATE planned'));
      }
    });
    return plans;
  } finally {
    await database.close();
  }
}

function stepOf(node: PlanNode): PlanStep {
  return {
    does: node['Node Type'],
    table: node['Relation Name'],
    index: node['Index Name'],
    isBounded: node['Index Cond'] !== undefined,
    // What is looked at first of several conditions follows from costs, and does not matter.
    steps: (node.Plans ?? []).map(stepOf).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** This step and all below it. */
export function allSteps(plan: PlanStep): readonly PlanStep[] {
  return [plan, ...plan.steps.flatMap(allSteps)];
}

/** As the client sends it, but written out. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return pg.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`a ${typeof value} cannot be written out`);
}

function elementOf(value: unknown): string {
  return value === null ? 'NULL' : `"${textOf(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
