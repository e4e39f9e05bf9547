import { expect, test } from 'vitest';
import { openDatabase, type Queries, type Transactions } from '../../storage/postgres/connection/database.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { firstIdOf } from '../../storage/postgres/deliveries/ids.ts';
import { today } from '../../storage/postgres/jobs/days.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import { systemClock } from '../../system-clock.ts';
import { askAll } from '../conformance/all-asked.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { HOMES, IN_POSTGRES, muchMeasured, muchShared, muchStored } from '../support/much-stored.ts';
import { explained } from '../support/plan-rows.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { analyze, withoutAutovacuum } from '../support/statistics.ts';

/** More than any statement looks at, and three times as much. */
const [SOME, MORE] = [2_500, 7_500];
/** A statement may look at so many rows more, or times as many. */
const [ROWS, TIMES] = [100, 1.2];
/** Statements that are meant to look at more where more is stored, each with the reason. */
const GROWING: Readonly<Record<string, string>> = {
  look_for_caught_behind: 'the oldest of each source of one workspace, once for each lot',
  read_names: 'destinations that an audience has told something',
  sources_of: 'names of sources of one workspace, once for each lot',
  told_destinations: 'destinations that an audience has told something',
  use_once: 'a source has ten thousand at most',
};

/** It reads the locks of the whole server, in which other tests have theirs. */
const OF_ALL = 'find_writers';

describeWithPostgres('what statements look at', () => {
  test('SAFE-2: it does not grow with what one workspace has stored, nor with its sources and destinations', async () => {
    const [some, more] = [await looksOf(SOME), await looksOf(MORE)];
    const grown = [...more].filter(([name, rows]) => name !== OF_ALL && rows > ROWS + TIMES * (some.get(name) ?? 0));
    expect(grown.map(([name]) => name).toSorted()).toEqual(Object.keys(GROWING).toSorted());
  }, 120_000);
});

/** The most rows that each statement looks at, when all that a storage can be asked is asked of two workspaces. */
async function looksOf(count: number): Promise<ReadonlyMap<string, number>> {
  await using place = await postgresPlace();
  await withoutAutovacuum(place.superuser);
  const looks = new Map<string, number>();
  const database = openDatabase(readAddress(place.url));
  const noting = (queries: Queries): Queries =>
    explained(queries, (name, rows) => looks.set(name, Math.max(rows, looks.get(name) ?? 0)));
  const all = (from: Transactions): Transactions => ({
    run: (statement, values) => from.transaction((queries) => noting(queries).run(statement, values)),
    transaction: (work) => from.transaction((queries) => work(noting(queries))),
  });
  const watched = { ...database, ...all(database), urgent: all(database.urgent), patient: all(database.patient) };
  const storage = await openPostgresStorage({ database: watched, clock: systemClock, log: new RecordingLog() });
  const first = firstIdOf(await today(place.database));
  for (const stored of [...muchStored(count, IN_POSTGRES), muchShared(count), muchMeasured(count)])
    await place.superuser.run(script(stored));
  await analyze(place.superuser);
  await storage.members.join({ now: systemClock.steady() });
  looks.clear();
  for (const workspace of HOMES) await askAll(storage, workspace, first);
  await storage.close();
  return looks;
}
