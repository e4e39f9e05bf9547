import { expect, test } from 'vitest';
import type { JobStorage } from '../../storage/job-storage.ts';
import { writes } from '../../storage/postgres/connection/statement.ts';
import { storedDays, today } from '../../storage/postgres/jobs/days.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { replayMade } from '../support/replay-made.ts';
import { momentAt } from '../support/still-clock.ts';
import { count, held, jobsOf, opened } from '../support/postgres-jobs.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { DESTINATION, storeRows } from '../support/stored-rows.ts';

const DAY_MS = 86_400_000;
const WANTED = { destination: DESTINATION, filter: {}, dryRun: false, perSecond: 9, createdAt: 1 } as const;
const EVERYTHING = { endedBefore: 2_000, seenBefore: 0, usedBefore: 0, limit: 1_000 };

describeWithPostgres('jobs in PostgreSQL', () => {
  const kept = keptPlaces();

  test('a lease ends by the clock of the database', async () => {
    await using place = await kept();
    const [one, other] = [jobsOf(place.database), jobsOf(place.database, 'other')];
    expect(await one.leaseJob({ job: 'purge', forMs: 60_000 })).toBe(true);
    expect(await other.leaseJob({ job: 'purge', forMs: 60_000 })).toBe(false);
    await place.database.run(writes('test_advance', 'UPDATE leases SET until = until - 60000'));
    expect(await other.leaseJob({ job: 'purge', forMs: 60_000 })).toBe(true);
    expect(await one.leaseJob({ job: 'purge', forMs: 0 })).toBe(false);
  });

  test('SAFE-2: of a lease that was given back nothing is left', async () => {
    await using place = await kept();
    const [one, other] = [jobsOf(place.database), jobsOf(place.database, 'other')];
    await one.leaseJob({ job: 'replays/1', forMs: 60_000 });
    await other.leaseJob({ job: 'replays/1', forMs: 0 });
    expect(await count(place.database, 'leases')).toBe(1);
    await one.leaseJob({ job: 'replays/1', forMs: 0 });
    expect(await count(place.database, 'leases')).toBe(0);
    expect(await other.leaseJob({ job: 'replays/1', forMs: 60_000 })).toBe(true);
  });

  test('steps of two nodes at once replay each delivery once', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'log', count: 300, from: 0 });
    const [first, second] = [await replayMade(jobs, WANTED), await replayMade(jobs, WANTED)];
    const step = async (replay: number, node: string): Promise<number> => {
      let replayed = 0;
      for (;;) {
        const request = { replay, at: momentAt(5), limit: 7, waitingLimit: 1_000 };
        const progress = await jobsOf(database, node).stepReplay(request);
        if (progress === undefined) return replayed;
        replayed += progress.replayed;
      }
    };
    const counts = await Promise.all([step(first.id, 'one'), step(first.id, 'other'), step(second.id, 'third')]);
    expect(counts.reduce((sum, one) => sum + one)).toBe(300);
    expect([await count(database, 'queue'), await count(database, 'log'), await count(database, 'replays')]).toEqual([
      300, 0, 300,
    ]);
    const matched = [await jobs.getReplay(first), await jobs.getReplay(second)].map((one) => one?.matched ?? 0);
    expect((matched[0] ?? 0) + (matched[1] ?? 0)).toBe(300);
  });

  test('a bulk replay leaves what was accepted after it, also under lower ids', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'log', count: 3, from: 1_000 });
    const replay = await replayMade(jobs, WANTED);
    await storeRows(database, { table: 'log', count: 5, from: 0, replay: replay.id });
    const progress = await jobs.stepReplay({ replay: replay.id, at: momentAt(5), limit: 99, waitingLimit: 99 });
    expect(progress?.replay).toMatchObject({ state: 'finished', examined: 8, matched: 3 });
    expect(await count(database, 'queue')).toBe(3);
  });

  test('a step that chooses little of much looks at a bounded number of rows', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    await storeRows(database, { table: 'log', count: 4_100, from: 0 });
    await storeRows(database, { table: 'log', count: 3, from: 20_000, userId: 'rare' });
    const { id } = await replayMade(jobs, { ...WANTED, filter: { userId: 'rare' } });
    const step = { replay: id, at: momentAt(5), limit: 2, waitingLimit: 99 };
    const examined: unknown[] = [];
    for (let at = 0; at < 4; at += 1) {
      const progress = await jobs.stepReplay(step);
      examined.push([progress?.replay.examined, progress?.replayed, progress?.replay.state]);
    }
    expect(examined).toEqual([
      [2_000, 0, 'running'],
      [4_000, 0, 'running'],
      [4_102, 2, 'running'],
      [4_103, 1, 'finished'],
    ]);
  });

  test('days have tables from yesterday to three days ahead, also after a long pause', async () => {
    await using place = await postgresPlace();
    const { database, jobs } = await opened(place);
    const day = await today(database);
    expect(await storedDays(database)).toEqual([day - 1, day, day + 1, day + 2, day + 3]);
    await database.run(writes('test_pause', 'SELECT drop_day(day, 9999) FROM generate_series($1::bigint, $2) day'), [
      day - 1,
      day + 2,
    ]);
    await jobs.purge(EVERYTHING);
    expect(await storedDays(database)).toEqual([day - 1, day, day + 1, day + 2, day + 3]);
  });

  test('a transaction that is held open does not stop tables from being made', async () => {
    await using place = await postgresPlace();
    const { database } = await opened(place);
    const day = await today(database);
    await storeRows(database, { table: 'log', count: 1, from: 0 });
    const other = await held(place, "UPDATE log SET state = 'failed'; UPDATE messages SET source = 1");
    await database.run(writes('make_days', 'SELECT make_days($1, $2)'), [day + 4, day + 5]);
    expect(await storedDays(database)).toHaveLength(7);
    await other.end();
  });

  test('a day whose deliveries have all ended before is dropped, with its messages and attempts', async () => {
    await using place = await postgresPlace();
    const { database, jobs } = await opened(place);
    const day = await today(database);
    const endedBefore = (day - 3) * DAY_MS;
    const stored = { table: 'log', count: 5, from: 0, endedAt: endedBefore - 1 } as const;
    await database.run(writes('make_days', 'SELECT make_days($1, $2)'), [day - 7, day]);
    for (const ago of [7, 6, 5, 4, 3]) await storeRows(database, { ...stored, day: day - ago });
    await storeRows(database, { table: 'queue', count: 1, from: 50, day: day - 6 });
    await storeRows(database, { ...stored, count: 1, from: 50, day: day - 5, endedAt: endedBefore });
    const purged = await purgeAll(jobs, { ...EVERYTHING, endedBefore });
    expect(await storedDays(database)).toEqual([
      day - 6,
      day - 5,
      day - 3,
      day - 2,
      day - 1,
      day,
      day + 1,
      day + 2,
      day + 3,
    ]);
    // Row by row where something younger has kept the day; of a day that is not over nothing goes.
    expect(purged.deliveries).toBeGreaterThanOrEqual(10);
    expect([await count(database, 'log'), await count(database, 'messages')]).toEqual([6, 7]);
  });

  test('what was moved from a data folder is dropped like a day', async () => {
    await using place = await postgresPlace();
    const { database, jobs } = await opened(place);
    await database.run(writes('make_days', 'SELECT make_days($1, $2)'), [0, 0]);
    const endedBefore = ((await today(database)) - 3) * DAY_MS;
    await storeRows(database, { table: 'log', count: 5, from: 1, day: 0, endedAt: endedBefore - 1 });
    await purgeAll(jobs, { ...EVERYTHING, endedBefore });
    expect(await storedDays(database)).not.toContain(0);
  });

  test('a transaction that reads keeps a day, and nobody waits for it', async () => {
    await using place = await postgresPlace();
    const { database, jobs } = await opened(place);
    const day = await today(database);
    await database.run(writes('make_days', 'SELECT make_days($1, $2)'), [day - 7, day]);
    await storeRows(database, { table: 'log', count: 5, from: 0, day: day - 7 });
    const other = await held(place, 'SELECT count(*) FROM log');
    const request = { ...EVERYTHING, endedBefore: (day - 6) * DAY_MS };
    const [purged] = await Promise.all([
      purgeAll(jobs, request),
      storeRows(database, { table: 'tries', count: 5, from: 0 }),
    ]);
    expect([purged.deliveries, (await storedDays(database))[0]]).toEqual([0, day - 7]);
    await other.end();
    await purgeAll(jobs, request);
    expect((await storedDays(database))[0]).toBe(day - 6);
  });

  test('a message goes with the last of its deliveries', async () => {
    await using place = await kept();
    const { database, jobs } = await opened(place);
    const id = await storeRows(database, { table: 'log', count: 1, from: 0 });
    await database.run(
      writes(
        'test_sibling',
        `INSERT INTO log SELECT id + $1, message, destination, state, round, earlier_rounds, received_at, ended_at + $2,
           bytes, type, event, user_id FROM log WHERE id = $3`,
      ),
      [1, 5_000, id],
    );
    await purgeAll(jobs, EVERYTHING);
    expect([await count(database, 'log'), await count(database, 'messages')]).toEqual([1, 1]);
    await purgeAll(jobs, { ...EVERYTHING, endedBefore: 9_000 });
    expect([await count(database, 'log'), await count(database, 'messages')]).toEqual([0, 0]);
  });
});

async function purgeAll(
  jobs: JobStorage,
  request: Parameters<JobStorage['purge']>[0],
): Promise<{ readonly deliveries: number }> {
  let [deliveries, after] = [0, request.after];
  do {
    const purged = await jobs.purge({ ...request, after });
    deliveries += purged.deliveries;
    after = purged.next;
  } while (after !== undefined);
  return { deliveries };
}
