import { expect, test } from 'vitest';
import { reads } from '../../storage/postgres/connection/statement.ts';
import { addTiles } from '../../storage/postgres/profiles/tiles.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const COUNTED = reads('', 'SELECT value, events FROM counted_values ORDER BY value');

describeWithPostgres('values of users', () => {
  test('AUD-6: values of one lot that have the same digest are counted, and do not stop what comes behind', async () => {
    await using place = await postgresPlace();
    const { database } = place;
    // The same value stands for another one of its digest.
    const of = { measure: 1, holder: 1, hour: 25 };
    const values = [
      { ...of, json: '"a"', events: 1 },
      { ...of, json: '"a"', events: 2 },
      { ...of, json: '"b"', events: 4 },
    ];
    for (let lot = 0; lot < 2; lot += 1) await addTiles(database, { amounts: [], values, ends: [] });
    expect(await database.run(COUNTED)).toEqual([
      { value: '"a"', events: 6 },
      { value: '"b"', events: 8 },
    ]);
  });
});
