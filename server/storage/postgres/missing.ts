import { StoreUnavailable } from '../config-store.ts';
import type { Queries } from './connection/database.ts';
import { reads } from './connection/statement.ts';

/** Tables that a role may not read or change. */
export const FORBIDDEN = reads(
  'forbidden_tables',
  `SELECT relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> 'waybill_format'
      AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
    ORDER BY relname`,
);
/** Without the right to use the schema, none of its tables is found. */
const LOST = reads(
  'lost_tables',
  `SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NULL ORDER BY name`,
);

/** On the way of every event. */
const NEEDED = 'attempts commits config_head config_versions counts log messages names nodes queue seen tries'.split(
  ' ',
);

/** Rejects with the way out where this role cannot store what requests bring, as once a privilege was revoked. */
export async function proveUsable(queries: Queries, schema: string): Promise<void> {
  const lost = namesOf(await queries.run<Named>(LOST, [NEEDED]));
  if (lost.length > 0)
    throw new StoreUnavailable(`the schema ${schema} has no ${lost}, or its role may not use it: see "waybill doctor"`);
  const forbidden = namesOf(await queries.run<Named>(FORBIDDEN, [schema]));
  if (forbidden.length > 0)
    throw new StoreUnavailable(
      `its role may not use ${forbidden}: grant it SELECT, INSERT, UPDATE and DELETE on them (docs/postgresql.md)`,
    );
}

export interface Named {
  readonly name: string;
}

function namesOf(rows: readonly Named[]): string {
  return rows.map(({ name }) => name).join(', ');
}
