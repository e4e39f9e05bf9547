import type { Queries } from '../connection/database.ts';
import { DURABLE, keeps, reads, writes } from '../connection/statement.ts';

/** How far the configuration is. */
export interface Head {
  readonly version: number;
  /** The last number given to a row. */
  readonly sequence: number;
}

/** A row of a resource, as it is stored. */
export interface ResourceRow {
  readonly kind: string;
  readonly name: string;
  readonly home: string;
  readonly sequence: number;
  readonly body: unknown;
}

/** One row that a commit changed; without a body it is gone. */
export interface ChangeRow extends ResourceRow {
  readonly version: number;
  /** The version of the last commit at the same moment. */
  readonly head: number;
}

export interface VersionRow {
  readonly workspace: string;
  readonly version: number;
}

/** One for all schemas of a database: what is told begins with the schema, and ends with a version. */
export const CHANNEL = 'waybill_config';

/** Changes are kept for so many commits; who is further behind reads everything. */
const KEPT_COMMITS = 1_000;

export const READ_HEAD = keeps('config_head', 'SELECT version, sequence FROM config_head');

/** The transaction that changed the configuration before has ended once this is answered. */
export const LOCK_HEAD = reads('config_lock', `SELECT version, sequence FROM config_head WHERE ${DURABLE} FOR UPDATE`);

/** A row in any case. */
export const READ_CHANGES = keeps(
  'config_changes',
  `SELECT h.version AS head, c.version, c.home, c.kind, c.name, c.sequence, c.body
   FROM config_head h LEFT JOIN config_changes c ON c.version > $1::bigint AND c.version <= $1::bigint + $2::bigint
   ORDER BY c.version, c.number`,
  'version IS NOT NULL',
);

export const READ_VERSIONS = keeps('config_versions', 'SELECT workspace, version FROM config_versions');

/** As much as a page of resources may take on disk, but for its last one: compressed to a hundredth, they are 25 MB. */
const PAGE_BYTES = 250_000;

/** A page, empty where there are no more. In the order of bytes, as their index is. */
export const READ_RESOURCES = keeps(
  'config_resources',
  `SELECT kind, name, home, sequence, body FROM (
     SELECT page.*, sum(size) OVER (ORDER BY name USING ~<~) - size AS before FROM (
       SELECT *, pg_column_size(body) AS size FROM resources WHERE name ~>~ $1::text ORDER BY name USING ~<~ LIMIT 1000
     ) page
   ) sized WHERE before < ${PAGE_BYTES} ORDER BY name USING ~<~`,
);

export const FIND_COMMIT = reads(
  'config_commit',
  'SELECT version FROM config_changes WHERE version = $1::bigint AND key = $2::uuid LIMIT 1',
);

/** $3: the home of all that changed; $4: its key; $5: what went, $6: the workspaces of it; $7 to $10: what changed, by columns. */
export const WRITE_COMMIT = writes(
  'config_write',
  `WITH changes AS (
     SELECT kind, name, sequence, body::json AS body, number
     FROM unnest($7::text[], $8::text[], $9::bigint[], $10::text[])
       WITH ORDINALITY AS changed (kind, name, sequence, body, number)
   ), head AS (
     UPDATE config_head SET version = $1::bigint, sequence = $2::bigint
   ), gone AS (
     DELETE FROM resources WHERE name = ANY ($5::text[])
   ), below AS (
     DELETE FROM resources WHERE home = ANY ($6::text[])
   ), kept AS (
     INSERT INTO resources (kind, name, home, sequence, body)
     SELECT kind, name, $3::text, sequence, body FROM changes WHERE body IS NOT NULL
     ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, body = excluded.body
   ), forgotten AS (
     DELETE FROM config_versions WHERE workspace = ANY ($6::text[])
   ), raised AS (
     INSERT INTO config_versions SELECT $3::text, $1::bigint WHERE $3::text <> ''
     ON CONFLICT (workspace) DO UPDATE SET version = excluded.version
   ), told AS (
     INSERT INTO config_changes (version, number, key, home, kind, name, sequence, body)
     SELECT $1::bigint, number, $4::uuid, $3::text, kind, name, sequence, body FROM changes
   ), old AS (
     DELETE FROM config_changes WHERE version <= $1::bigint - ${KEPT_COMMITS}
   )
   SELECT pg_notify('${CHANNEL}', current_schema() || ' ' || $1::bigint)`,
);

/**
 * What is kept of the commits before $1 says of resources what stands, and not what they said of users before. $2: their names; $3: the
 * workspaces that are gone, with all below them. A router that is behind hears earlier what it would hear by the last commit.
 */
export const FORGET = writes(
  'config_forget',
  `UPDATE config_changes c SET body = (SELECT r.body FROM resources r WHERE r.name = c.name)
   WHERE c.version > $1::bigint - ${KEPT_COMMITS} AND c.version < $1::bigint
     AND (c.name = ANY ($2::text[]) OR c.home = ANY ($3::text[]))`,
);

export async function headOf(queries: Queries, statement: typeof READ_HEAD): Promise<Head> {
  const [head] = await queries.run<Head>(statement);
  if (head === undefined) throw new Error('config_head has no row: the schema is damaged');
  return head;
}
