import { expect, test } from 'vitest';
import { StatementRefused } from '../../storage/postgres/connection/failures.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { Inserts, newRows } from '../../storage/postgres/deliveries/new-rows.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { recorded } from '../support/plans.ts';

const TABLE = script('CREATE TABLE kept (id integer PRIMARY KEY, name text NOT NULL)');
const NAMES = reads('kept_names', 'SELECT name FROM kept ORDER BY id');
const KEEP = newRows(
  'keep',
  (onTaken) => `INSERT INTO kept SELECT id, $2::text FROM unnest($1::integer[]) id ${onTaken}`,
);

describeWithPostgres('rows that are hardly ever there already', () => {
  test('are inserted without a look, until one of them is there', async () => {
    await using place = await postgresPlace();
    await place.superuser.run(TABLE);
    const { database, asked } = recorded(place.superuser);
    let now = 0;
    const inserts = new Inserts(database, { steady: () => now });
    const keep = async (ids: readonly number[], name: string, isAgain = false): Promise<readonly string[]> => {
      asked.clear();
      await inserts.run(KEEP, [ids, name], isAgain);
      return [...asked.keys()];
    };
    expect(await keep([1], 'first')).toEqual(['keep']);
    expect(await keep([1, 2], 'second', true)).toEqual(['keep_wary']);
    expect(await keep([2, 3], 'third')).toEqual(['keep', 'keep_wary']);
    now += 9_999;
    expect(await keep([4], 'fourth')).toEqual(['keep_wary']);
    now += 1;
    expect(await keep([5], 'fifth')).toEqual(['keep']);
    const names = await database.run<{ readonly name: string }>(NAMES);
    expect(names.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  });

  test('are not asked for again when they are refused for another reason', async () => {
    await using place = await postgresPlace();
    await place.superuser.run(TABLE);
    const { database, asked } = recorded(place.superuser);
    const inserts = new Inserts(database, { steady: () => 0 });
    await expect(inserts.run(KEEP, [[1], null], false)).rejects.toThrow(StatementRefused);
    expect([...asked.keys()]).toEqual(['keep']);
  });
});
