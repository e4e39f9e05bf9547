import { expect, test } from 'vitest';
import type { ErasureRequest, JobStorage } from '../../storage/job-storage.ts';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { script, writes } from '../../storage/postgres/connection/statement.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { explained, type OnLook } from '../support/plan-rows.ts';
import { count, held, jobsOf, opened } from '../support/postgres-jobs.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { replayMade } from '../support/replay-made.ts';
import { storeRows } from '../support/stored-rows.ts';

const ADA = { scope: 'workspaces/main', userIds: ['ada'], now: 1, limit: 500 } as const;
const TO_LOG = `WITH gone AS (DELETE FROM tries RETURNING *)
  INSERT INTO log (id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id)
  SELECT id, message, destination, 'failed', round, earlier_rounds, received_at, 1, bytes, type, event, user_id FROM gone`;

describeWithPostgres('erasure of users in PostgreSQL', () => {
  const kept = keptPlaces();

  test('D-12: what is stored of a user goes from wherever it is, page by page', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    let from = 0;
    for (const userId of ['ada', 'bob', 'ada']) {
      for (const table of ['queue', 'log', 'tries'] as const) {
        await storeRows(database, { table, count: 7, from, userId });
        from += 100;
      }
    }
    expect(await erase(jobs, { ...ADA, limit: 5 })).toBe(42);
    expect(await left(database)).toEqual([7, 7, 7, 21]);
    expect(await count(database, "messages WHERE event LIKE '%ada%'")).toBe(0);
    expect(await erase(jobs, { ...ADA, limit: 5 })).toBe(0);
  });

  test('D-12: a message with more deliveries than a page goes whole', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    const id = await storeRows(database, { table: 'log', count: 1, from: 0 });
    await storeRows(database, { table: 'log', count: 1, from: 100, userId: 'bob' });
    await database.run(
      writes(
        'test_siblings',
        `INSERT INTO queue (id, message, destination, round, tries, earlier_rounds, closed, received_at, window_from, due_at,
           set_at, bytes, type, event, user_id)
         SELECT id + n, message, destination, 1, 1, 0, '[]', received_at, 1, 1, 1, bytes, type, event, user_id
         FROM log, generate_series(1, 9) n WHERE id = $1`,
      ),
      [id],
    );
    expect(await erase(jobs, { ...ADA, limit: 2 })).toBe(10);
    expect(await left(database)).toEqual([0, 0, 1, 1]);
  });

  test('D-12: what an accept had under way is found, once it has ended', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    const accept = await held(place, 'LOCK TABLE messages IN ROW EXCLUSIVE MODE');
    const first = await jobs.eraseUsers(ADA);
    expect(first).toEqual({ deliveries: 0, next: expect.any(String) });
    const again = await jobs.eraseUsers({ ...ADA, after: first.next });
    expect(again).toEqual(first);
    await storeRows(database, { table: 'tries', count: 1, from: 0 });
    await accept.end();
    // Another one that began meanwhile is not waited for.
    const later = await held(place, 'LOCK TABLE messages IN ROW EXCLUSIVE MODE');
    expect(await jobs.eraseUsers({ ...ADA, after: again.next })).toEqual({ deliveries: 1, next: undefined });
    await later.end();
  });

  test('a transaction that only reads holds up no erasure', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'log', count: 1, from: 0 });
    const backup = await held(place, 'SELECT count(*) FROM messages; SELECT count(*) FROM log');
    expect(await jobs.eraseUsers(ADA)).toEqual({ deliveries: 1, next: undefined });
    await backup.end();
  });

  test('D-12: a delivery that ends while it is being erased is found where it has come to', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'tries', count: 20, from: 0 });
    const record = await held(place, TO_LOG);
    const erasing = jobs.eraseUsers(ADA);
    // It waits for the rows that the record has removed.
    await expect.poll(() => count(database, 'pg_locks WHERE NOT granted')).toBeGreaterThan(0);
    await record.end();
    expect(await erasing).toEqual({ deliveries: 20, next: undefined });
    expect(await left(database)).toEqual([0, 0, 0, 0]);
  });

  test('AUD-9: of what was told, one destination of a computation goes in each step, and nothing of other workspaces', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await place.superuser.run(
      script(`INSERT INTO names (name) SELECT 'workspaces/' || w || '/audiences/' || a FROM unnest(ARRAY['main2', 'main']) w, generate_series(1, 2) a;
        INSERT INTO told SELECT c.id, 900 + d, u, 'true', 1, 1, 0 FROM names c, generate_series(1, 3) d, unnest(ARRAY['ada', 'bob']) u`),
    );
    const steps = await stepsOf(jobs, ADA);
    expect(steps).toHaveLength(7);
    expect(steps.slice(0, 6).every((step) => /^told \d+ 90[123]$/.test(step))).toBe(true);
    expect(await count(database, "told WHERE user_id = 'ada'")).toBe(6);
    expect(await count(database, 'told')).toBe(18);
  });

  test('D-12: users whose ids look alike in the database are told apart', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'log', count: 1, from: 0, userId: 'a\uFFFD' });
    expect(await erase(jobs, { ...ADA, userIds: ['a\0'] })).toBe(0);
    await database.run(writes('test_event', 'UPDATE messages SET event = $1'), [
      JSON.stringify({ type: 'track', messageId: 'm', userId: 'a\0' }),
    ]);
    expect(await erase(jobs, { ...ADA, userIds: ['a\uFFFD'] })).toBe(0);
    expect(await erase(jobs, { ...ADA, userIds: ['a\0'] })).toBe(1);
  });

  test('SAFE-2: replays that name a user are found a thousand replays and names at a time, and beside none of others', async () => {
    const little = { destinations: 30, replays: 1, ofOthers: 0 };
    const few = await replaysErasedBeside(kept(), little);
    expect(await replaysErasedBeside(kept(), { ...little, ofOthers: 3_000 })).toEqual(few);
    for (const size of [{ destinations: 3_000 }, { replays: 3_000 }]) {
      const many = await replaysErasedBeside(kept(), { ...little, ...size });
      expect([few.length, many.length]).toEqual([1, 4]);
      expect(Math.max(...many)).toBeLessThan(10_000);
    }
  });
});

const LIKE_IT = 'state, filter, dry_run, per_second, created_at, examined, matched, at_received, at_id';
/**
 * Of a workspace that had so many destinations, and so many replays of one of them, beside another with nearly all replays that there are:
 * how many rows each statement looks at for those of a user.
 */
async function replaysErasedBeside(
  made: Promise<PostgresPlace>,
  sizes: Readonly<Record<'destinations' | 'replays' | 'ofOthers', number>>,
): Promise<readonly number[]> {
  await using place = await made;
  const { database } = place;
  await place.superuser.run(
    script(
      `INSERT INTO names (name) SELECT 'workspaces/w/sources/s/destinations/' || n FROM generate_series(1, ${sizes.destinations}) n`,
    ),
  );
  const wanted = { destination: 'workspaces/w/sources/s/destinations/7', dryRun: true, perSecond: 9, createdAt: 1 };
  await replayMade(jobsOf(database), { ...wanted, filter: { userId: 'ada' } });
  await place.superuser.run(
    script(`INSERT INTO replay_jobs (destination, ${LIKE_IT})
      SELECT 0, ${LIKE_IT} FROM replay_jobs, generate_series(1, ${sizes.ofOthers})
      UNION ALL SELECT destination, ${LIKE_IT} FROM replay_jobs, generate_series(2, ${sizes.replays}); ANALYZE replay_jobs`),
  );
  const rows: number[] = [];
  const onLook: OnLook = (name, looks) => void (name === 'erase_replays' && rows.push(looks));
  const run: Database['run'] = (statement, values) =>
    database.transaction((queries) => explained(queries, onLook).run(statement, values));
  await jobsOf({ ...database, run }).eraseUsers({ scope: 'workspaces/w', userIds: ['ada'], now: 1, limit: 9 });
  expect(await count(database, 'replay_jobs')).toBe(sizes.ofOthers);
  return rows;
}

/** Where it stood after each, 'over' at last. */
async function stepsOf(jobs: JobStorage, request: ErasureRequest): Promise<readonly string[]> {
  const steps: string[] = [];
  for (let after: string | undefined; steps.at(-1) !== 'over'; steps.push(after ?? 'over'))
    after = (await jobs.eraseUsers({ ...request, after })).next;
  return steps;
}

async function left(database: Database): Promise<readonly number[]> {
  return Promise.all(['queue', 'tries', 'log', 'messages'].map((table) => count(database, table)));
}

async function erase(jobs: JobStorage, request: ErasureRequest): Promise<number> {
  let [deliveries, after] = [0, request.after];
  do {
    const erased = await jobs.eraseUsers({ ...request, after });
    deliveries += erased.deliveries;
    after = erased.next;
  } while (after !== undefined);
  return deliveries;
}
