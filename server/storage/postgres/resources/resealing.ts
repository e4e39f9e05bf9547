import { type Keyring, SEALED, sealedPrefix } from '../../secrets/keyring.ts';
import type { Resealing } from '../../storage.ts';
import { openedRow, SEALED_FIELDS, sealedText } from '../../secrets/sealed-rows.ts';
import type { Database, Queries } from '../connection/database.ts';
import { keeps, reads, writes } from '../connection/statement.ts';
import { isKeyOutdated, resealKey } from '../shared/signing-key.ts';
import { headOf, LOCK_HEAD } from './statements.ts';

/**
 * To be run before anything is encrypted: routers of earlier versions that start from now on end. Those that run cannot read
 * what is encrypted, and route nothing by it.
 */
export const SHUT_OUT_OLDER = writes('shut_out_older', 'UPDATE waybill_format SET oldest = 5 WHERE oldest < 5');

/** So many rows are written anew while nobody else can change the configuration. */
const PAGE = 100;

/** $1: how a text begins that was sealed with the newest key; empty where everything is to be in clear. */
const OUTDATED = Object.entries(SEALED_FIELDS)
  .flatMap(([kind, fields]) => fields.map((field) => ({ kind, text: `readable(body::text)::json->>'${field}'` })))
  .map(({ kind, text }) => {
    const sealed = `starts_with(${text}, '${SEALED}')`;
    return `kind = '${kind}' AND CASE WHEN $1 = '' THEN ${sealed} ELSE NOT starts_with(${text}, $1) END`;
  })
  .join(' OR ');

const COUNT = keeps(
  'count_outdated',
  `SELECT (SELECT count(*) FROM resources WHERE ${OUTDATED}) + (SELECT count(*) FROM config_changes WHERE ${OUTDATED})
   AS count`,
);

/** What stands, in the order of bytes. $2: behind which name; $3, $4: what is written anew, by columns. */
const READ_RESOURCES = reads(
  'outdated_resources',
  `SELECT kind, name, body FROM resources WHERE name ~>~ $2::text AND (${OUTDATED}) ORDER BY name USING ~<~ LIMIT ${PAGE}`,
);
const WRITE_RESOURCES = writes(
  'reseal_resources',
  `UPDATE resources r SET body = anew.body::json FROM unnest($1::text[], $2::text[]) anew (name, body)
   WHERE r.name = anew.name`,
);

/** What routers that are behind have still to be told. */
const READ_CHANGES = reads(
  'outdated_changes',
  `SELECT kind, name, body, version, number FROM config_changes
   WHERE (version, number) > ($2::bigint, $3::integer) AND (${OUTDATED}) ORDER BY version, number LIMIT ${PAGE}`,
);
const WRITE_CHANGES = writes(
  'reseal_changes',
  `UPDATE config_changes c SET body = anew.body::json
   FROM unnest($1::bigint[], $2::integer[], $3::text[]) anew (version, number, body)
   WHERE c.version = anew.version AND c.number = anew.number`,
);

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly body: unknown;
  /** Of changes alone. */
  readonly version: number;
  readonly number: number;
}

/** No router is told: what is written anew says what it has said. */
export function postgresResealing(database: Database, keyring: Keyring): Resealing {
  const wanted = keyring.current === undefined ? '' : sealedPrefix(keyring.current);
  const textOf = ({ kind, body }: Row): string => sealedText(keyring, kind, openedRow(keyring, kind, body));
  // Where the last page ended; the rows before it are not looked at again.
  let [afterName, afterVersion, afterNumber] = ['', 0, 0];

  const resources = async (queries: Queries): Promise<number> => {
    const rows = await queries.run<Row>(READ_RESOURCES, [wanted, afterName]);
    afterName = rows.at(-1)?.name ?? '';
    if (rows.length > 0) await queries.run(WRITE_RESOURCES, [rows.map(({ name }) => name), rows.map(textOf)]);
    return rows.length;
  };
  const changes = async (queries: Queries): Promise<number> => {
    const rows = await queries.run<Row>(READ_CHANGES, [wanted, afterVersion, afterNumber]);
    [afterVersion, afterNumber] = [rows.at(-1)?.version ?? 0, rows.at(-1)?.number ?? 0];
    const keys = [rows.map(({ version }) => version), rows.map(({ number }) => number)];
    if (rows.length > 0) await queries.run(WRITE_CHANGES, [...keys, rows.map(textOf)]);
    return rows.length;
  };
  return {
    async left() {
      if (keyring.ids.length === 0) return 0;
      const [row] = await database.run<{ readonly count: number }>(COUNT, [wanted]);
      return (row?.count ?? 0) + ((await isKeyOutdated(database, keyring)) ? 1 : 0);
    },
    step: () =>
      database.transaction(async (queries) => {
        await headOf(queries, LOCK_HEAD);
        return (await resources(queries)) || (await changes(queries)) || resealKey(queries, keyring);
      }),
  };
}
