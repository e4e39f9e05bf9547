import { readAddress } from '../../server/storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../server/storage/postgres/connection/database.ts';
import { reads } from '../../server/storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../server/storage/postgres/migrations/migrate.ts';
import { openPostgresStorage } from '../../server/storage/postgres/open-postgres-storage.ts';
import { systemClock } from '../../server/system-clock.ts';
import { type Bench, repeat, sized, WARM_UP_SHARE, type Wish } from './bench.ts';
import { type Figure, figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { type Cost, costOf, openPlace, type Place } from './postgres-cost.ts';
import { preparedCopy } from './postgres-copy.ts';
import { type Load, StorageLoad } from './postgres-load.ts';

const EVENTS = 40_000;
const [WRITERS, BATCH] = [4, 100];
const SINGLE_CALLERS = 64;

/** What events cost in PostgreSQL, against the least that these rows can cost there. */
export const postgresStorage: Bench = {
  name: 'postgres',
  about: 'accepting and finishing events in PostgreSQL, against bare COPY of the same rows',
  runs: 3,
  isStandard: false,
  measure: async (wish) => figures(await repeat(wish, 'postgres', () => inFolder((folder) => measure(wish, folder)))),
};

interface Verbs extends Cost {
  readonly tripsPerEvent: number;
  readonly eventsPerCommit: number;
}

interface Run {
  readonly copy: Cost;
  readonly batches: Verbs;
  readonly singles: Verbs;
}

function figures(runs: readonly Run[]): Figure[] {
  return figuresOf<Run>(runs, [
    ['events, against COPY', '', ({ batches, copy }) => batches.perSecond / copy.perSecond, { atLeast: 0.35 }],
    [
      'CPU of the database, against COPY',
      '',
      ({ batches, copy }) => batches.databaseUs / copy.databaseUs,
      { atMost: 5 },
    ],
    ['write-ahead log, against COPY', '', ({ batches, copy }) => batches.walBytes / copy.walBytes, { atMost: 2.3 }],
    ['round trips of an event', '', ({ batches }) => batches.tripsPerEvent, { atMost: 0.03 }],
    ['single events of a commit, 64 callers', '', ({ singles }) => singles.eventsPerCommit, { atLeast: 20 }],
    ['round trips of a single event, 64 callers', '', ({ singles }) => singles.tripsPerEvent, { atMost: 0.2 }],
    ['events', 'events/s', ({ batches }) => batches.perSecond],
    ['CPU of the database', 'µs', ({ batches }) => batches.databaseUs],
    ['CPU of the router', 'µs', ({ batches }) => batches.routerUs],
    ['write-ahead log', 'bytes', ({ batches }) => batches.walBytes],
  ]);
}

async function measure(wish: Wish, folder: string): Promise<Run> {
  await using opened = new AsyncDisposableStack();
  const place = await openPlace(opened);
  const { server, database } = place;
  await migrateDatabase(database);
  const events = Math.max(BATCH * WRITERS, sized(EVENTS, wish));
  const copyAll = await preparedCopy(server, database, { events, batch: BATCH, writers: WRITERS, folder });
  const copy = await costOf(place, events, copyAll);
  const verbs = await openVerbs(place);
  opened.defer(() => verbs.close());
  await verbs.measure({ callers: WRITERS, batch: BATCH, events: Math.ceil((events * WARM_UP_SHARE) / BATCH) * BATCH });
  const batches = await verbs.measure({ callers: WRITERS, batch: BATCH, events });
  const singles = await verbs.measure({ callers: SINGLE_CALLERS, batch: 1, events: Math.ceil(events / 4) });
  return { copy, batches, singles };
}

const COMMITS = reads('', 'SELECT count(*) AS count FROM commits');

async function openVerbs(place: Place): Promise<{
  measure(load: Load): Promise<Verbs>;
  close(): Promise<void>;
}> {
  let trips = 0;
  const own = openDatabase(readAddress(place.server.url()));
  const database: Database = {
    ...own,
    run(statement, values) {
      trips += 1;
      return own.run(statement, values);
    },
  };
  const storage = await openPostgresStorage({ database, clock: systemClock, log: SILENT });
  await storage.members.join({ now: systemClock.steady() });
  const beats = setInterval(() => void storage.members.beat().catch(ignore), 2_000);
  const load = new StorageLoad(storage.deliveries);
  const commits = async () => (await place.database.run<{ readonly count: number }>(COMMITS))[0]?.count ?? NaN;
  return {
    async measure(wanted) {
      const [tripsBefore, commitsBefore] = [trips, await commits()];
      const cost = await costOf(place, wanted.events, () => load.run(wanted));
      const eventsPerCommit = wanted.events / ((await commits()) - commitsBefore);
      return { ...cost, tripsPerEvent: (trips - tripsBefore) / wanted.events, eventsPerCommit };
    },
    async close() {
      clearInterval(beats);
      await storage.close();
    },
  };
}

function ignore(): void {
  // A bench measures the work, not the writing about it; a life that is over shows in what is refused.
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
