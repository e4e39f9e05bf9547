import { expect, test } from 'vitest';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import { firstIdOf } from '../../storage/postgres/deliveries/ids.ts';
import { makeDays, today } from '../../storage/postgres/jobs/days.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

/** Tables and sequences, without parts of tables. */
const RELATIONS = reads(
  '',
  `SELECT quote_ident(relname) AS name, relkind = 'S' AS "isSequence" FROM pg_class c
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'S') AND NOT relispartition`,
);
/** A row of a table, whose greatest numbers are $1. */
const ROWS = reads(
  '',
  `SELECT quote_ident(table_name) AS name, json_object_agg(column_name, CASE data_type
     WHEN 'bigint' THEN $1 WHEN 'boolean' THEN 'true' WHEN 'uuid' THEN gen_random_uuid()::text WHEN 'ARRAY' THEN '{}' ELSE '1' END)::text AS row
   FROM information_schema.columns WHERE table_schema = current_schema() GROUP BY table_name`,
);
const PID = reads('', 'SELECT pg_backend_pid() AS pid');

interface Relation {
  readonly name: string;
  readonly isSequence: boolean;
}

/** What each table and sequence has. */
async function storedIn({ superuser }: PostgresPlace): Promise<ReadonlyMap<string, readonly string[]>> {
  const stored = new Map<string, readonly string[]>();
  for (const { name, isSequence } of await superuser.run<Relation>(RELATIONS)) {
    const what = isSequence ? '(last_value, is_called)' : 'one';
    const rows = await superuser.run<{ readonly row: string }>(script(`SELECT ${what}::text AS row FROM ${name} one`));
    stored.set(name, rows.map(({ row }) => row).toSorted());
  }
  return stored;
}

/** Something else in each table and sequence. */
async function changeAll({ database, superuser }: PostgresPlace): Promise<void> {
  await makeDays(database);
  const greatest = String(firstIdOf(await today(database)));
  const rows = await superuser.run<{ readonly name: string; readonly row: string }>(ROWS, [greatest]);
  for (const { name, isSequence } of await superuser.run<Relation>(RELATIONS)) {
    if (isSequence) await superuser.run(script(`SELECT nextval('${name}'), nextval('${name}')`));
    else {
      await superuser.run(script(`DELETE FROM ${name}`));
      const { row } = rows.find((one) => one.name === name) ?? {};
      const values = `SELECT * FROM json_populate_record(NULL::${name}, $1::json)`;
      await superuser.run(writes('', `INSERT INTO ${name} OVERRIDING SYSTEM VALUE ${values}`), [row]);
    }
  }
}

describeWithPostgres('a place that tests use in turn', () => {
  const kept = keptPlaces();

  test('is as it was made once it is given back, whatever was stored there', async () => {
    const used = await kept();
    const made = await storedIn(used);
    await changeAll(used);
    const changed = await storedIn(used);
    await used[Symbol.asyncDispose]();
    expect([...changed].filter(([name, rows]) => rows.join() === made.get(name)?.join())).toEqual([]);
    await using next = await kept();
    expect(next.url).toBe(used.url);
    expect(await storedIn(next)).toEqual(made);
  });

  test('is given to one at a time, with connections of routers that have closed theirs', async () => {
    await using one = await kept();
    await using other = await kept();
    expect(other.url).not.toBe(one.url);
    const before = one.open();
    const pids = await before.run(PID);
    await before.close();
    const after = one.open();
    expect(await after.run(PID)).toEqual(pids);
    await after.close();
  });
});
