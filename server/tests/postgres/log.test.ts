import { expect, test } from 'vitest';
import { deliveryId } from '../../model/delivery.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { reads, writes } from '../../storage/postgres/connection/statement.ts';
import { makeDays } from '../../storage/postgres/jobs/days.ts';
import { logOperations } from '../../storage/postgres/log/log-operations.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { DESTINATION, storeRows } from '../support/stored-rows.ts';

const SAME_CLOCK = { fromDatabase: (at: number) => at };
const EVERYTHING = { destination: DESTINATION, filter: {}, limit: 10 };

/** What a record does. */
const END = writes(
  'test_end',
  `WITH gone AS (DELETE FROM tries WHERE id = ANY($1::bigint[]) RETURNING *)
   INSERT INTO log (id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id)
   SELECT id, message, destination, 'delivered', round, earlier_rounds, received_at, 2000, bytes, type, event, user_id FROM gone`,
);

async function opened(database: Database) {
  await makeDays(database);
  return logOperations({ database, time: SAME_CLOCK });
}

describeWithPostgres('the log in PostgreSQL', () => {
  const kept = keptPlaces();

  test('a delivery that ends between two pages, or beside one, is shown once', async () => {
    await using place = await kept();
    const { database } = place;
    const log = await opened(database);
    const first = await storeRows(database, { table: 'tries', count: 6, from: 0 });
    await storeRows(database, { table: 'queue', count: 1, from: 100, receivedAt: 500 });
    const ids = Array.from({ length: 6 }, (_, index) => first + 2 * index);
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const [page] = await Promise.all([
        log.list({ ...EVERYTHING, limit: 2, ...(before === undefined ? {} : { before }) }),
        database.run(END, [ids.splice(0, 2)]),
      ]);
      seen.push(...page.deliveries.map(({ messageId }) => messageId));
      before = page.next;
    } while (before !== undefined);
    expect(seen).toEqual(['m5', 'm4', 'm3', 'm2', 'm1', 'm0', 'm0']);
  });

  test('a page looks at a bounded number of rows, and says where to go on', async () => {
    await using place = await kept();
    const { database } = place;
    const log = await opened(database);
    await storeRows(database, { table: 'log', count: 1, from: 0, receivedAt: 1, userId: 'rare' });
    await storeRows(database, { table: 'log', count: 2_500, from: 10 });
    await storeRows(database, { table: 'queue', count: 2_500, from: 10_000 });
    const query = { ...EVERYTHING, filter: { userId: 'rare' } };
    const pages = [await log.list(query)];
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
      pages.push(await log.list({ ...query, before: next }));
    expect(pages.map(({ deliveries }) => deliveries.length)).toEqual([0, 0, 1]);
  });

  test('a messageId is told whatever the event looks like', async () => {
    await using place = await kept();
    const { database } = place;
    const log = await opened(database);
    const delivery = deliveryId(String(await storeRows(database, { table: 'log', count: 1, from: 0 })));
    const odd = ['"', '\\', '"\\u0000', 'x'.repeat(700), '\u{1F600}'];
    const events = [
      ...odd.map((messageId) => JSON.stringify({ type: 'track', messageId })),
      JSON.stringify({ messageId: odd[0], type: 'track' }),
      `{"type":"track","messageId":"deep","properties":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ];
    const told: string[] = [];
    for (const event of events) {
      await database.run(writes('test_event', 'UPDATE messages SET event = $1'), [event]);
      told.push((await log.read({ destination: DESTINATION, delivery }))?.messageId ?? '');
    }
    expect(told).toEqual([...odd, odd[0], 'deep']);
  });

  test('what names no delivery finds none', async () => {
    await using place = await kept();
    const log = await opened(place.database);
    for (const delivery of ['x', '', '1.5', '9'.repeat(30)])
      expect(await log.read({ destination: DESTINATION, delivery: deliveryId(delivery) })).toBeUndefined();
  });

  test('counts of all nodes are added up', async () => {
    await using place = await kept();
    const { database } = place;
    const log = await opened(database);
    await storeRows(database, { table: 'log', count: 1, from: 0 });
    await database.run(
      writes(
        'test_counts',
        `INSERT INTO counts (hour, destination, what, node, count)
         SELECT hour, (SELECT id FROM names WHERE name = $1), 'delivered', node, 2
         FROM generate_series(0, 7200000, 3600000) hour, generate_series(1, 3) node`,
      ),
      [DESTINATION],
    );
    expect(await log.counts({ destination: DESTINATION, from: 3_600_001, to: 7_200_000 })).toEqual([
      { hour: 3_600_000, what: 'delivered', count: 6 },
    ]);
    expect(await database.run(reads('test_all', 'SELECT count(*)::bigint AS count FROM counts'))).toEqual([
      { count: 9 },
    ]);
  });
});
