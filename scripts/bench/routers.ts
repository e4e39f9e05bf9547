import { join } from 'node:path';
import { reads, script } from '../../server/storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../server/storage/postgres/migrations/migrate.ts';
import { type Bench, repeat, sized, WARM_UP_SHARE, type Wish } from './bench.ts';
import { type Figure, figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';
import { databaseUs, openPlace, type Place, position } from './postgres-cost.ts';
import { preparedCopy } from './postgres-copy.ts';
import { type BenchRouter, startRouter, startRouterOn } from './processes/bench-router.ts';
import { startLoad } from './processes/load-process.ts';
import { startReceiver } from './processes/receiver-process.ts';

const MANY = 4;
/** So many connections over all routers. */
const CONNECTIONS = 16;
const BATCH = 20;
const LOADS = { batches: { batch: BATCH, events: 60_000 }, singles: { batch: 1, events: 12_000 } } as const;
type LoadName = keyof typeof LOADS;
const COPY = { events: 40_000, batch: 100 };

/** What an event costs routers and their database from its request to its webhook, with one router and with several. */
export const routers: Bench = {
  name: 'routers',
  about: `events from their requests to one webhook over one router and over ${MANY} on PostgreSQL, and over one on a data folder`,
  runs: 3,
  isStandard: false,
  measure: async (wish) => figures(await repeat(wish, 'routers', () => measure(wish))),
};

interface Cost {
  readonly routerUs: number;
  /** Undefined on a data folder. */
  readonly database: DatabaseCost | undefined;
}

interface DatabaseCost {
  readonly us: number;
  readonly walBytes: number;
  readonly diskBytes: number;
}

type Costs = Readonly<Record<LoadName, Cost>>;

interface Run {
  readonly folder: Costs;
  readonly one: Costs;
  readonly many: Costs;
  /** Of COPY of the same rows: the database's microseconds with as many writers as routers, against one. */
  readonly copyGrowth: number;
}

function ofDatabase(cost: Cost, of: keyof DatabaseCost): number {
  return cost.database?.[of] ?? NaN;
}

function figures(runs: readonly Run[]): Figure[] {
  const growth = ({ one, many }: Run): number => ofDatabase(many.batches, 'us') / ofDatabase(one.batches, 'us');
  return figuresOf<Run>(runs, [
    [
      'processor time of a router, on PostgreSQL against on a data folder',
      '',
      ({ one, folder }) => one.batches.routerUs / folder.batches.routerUs,
      { atMost: 1.15 },
    ],
    [
      `processor time of the database, ${MANY} routers against one, by what COPY grows`,
      '',
      (run) => growth(run) / run.copyGrowth,
      { atMost: 1.15 },
    ],
    ['routers, in batches of 20', 'µs of the processor an event', ({ one }) => one.batches.routerUs],
    ['database, in batches of 20', 'µs of the processor an event', ({ one }) => ofDatabase(one.batches, 'us')],
    ['write-ahead log, in batches of 20', 'B an event', ({ one }) => ofDatabase(one.batches, 'walBytes')],
    ['disk, in batches of 20', 'B an event', ({ one }) => ofDatabase(one.batches, 'diskBytes')],
    ['routers, one event a request', 'µs of the processor an event', ({ one }) => one.singles.routerUs],
    ['database, one event a request', 'µs of the processor an event', ({ one }) => ofDatabase(one.singles, 'us')],
    ['write-ahead log, one event a request', 'B an event', ({ one }) => ofDatabase(one.singles, 'walBytes')],
    ['disk, one event a request', 'B an event', ({ one }) => ofDatabase(one.singles, 'diskBytes')],
    [`${MANY} routers, in batches of 20`, 'µs of the processor an event', ({ many }) => many.batches.routerUs],
    [
      `database of ${MANY} routers, in batches of 20`,
      'µs of the processor an event',
      ({ many }) => ofDatabase(many.batches, 'us'),
    ],
    [
      'router on a data folder, in batches of 20',
      'µs of the processor an event',
      ({ folder }) => folder.batches.routerUs,
    ],
  ]);
}

async function measure(wish: Wish): Promise<Run> {
  const folder = await inFolder(async (path) => {
    await using router = await startRouter(join(path, 'data'));
    return await costsOf([router], undefined, wish);
  });
  return {
    folder,
    one: await onPostgres(1, wish),
    many: await onPostgres(MANY, wish),
    copyGrowth: await copyGrowth(wish),
  };
}

async function onPostgres(count: number, wish: Wish): Promise<Costs> {
  await using opened = new AsyncDisposableStack();
  const place = await openPlace(opened);
  const all: BenchRouter[] = [];
  for (let index = 0; index < count; index += 1) all.push(opened.use(await startRouterOn(place.server.url())));
  return await costsOf(all, place, wish);
}

async function costsOf(all: readonly BenchRouter[], place: Place | undefined, wish: Wish): Promise<Costs> {
  const most = Object.values(LOADS).reduce((sum, { events }) => sum + 2 * events, 0);
  using receiver = await startReceiver(most);
  const writeKeys = await all[0]?.connect([`${receiver.url}/ok/0`]);
  let delivered = 0;
  const send = async ({
    batch,
    events: wished,
  }: {
    readonly batch: number;
    readonly events: number;
  }): Promise<number> => {
    const each = Math.ceil(wished / all.length / batch) * batch;
    await Promise.all(
      all.map(async ({ url }, index) => {
        using load = await startLoad(url);
        const pace = { connections: CONNECTIONS / all.length };
        await load.send({ writeKeys: writeKeys ?? [], first: delivered + index * each, events: each, batch, pace });
      }),
    );
    delivered += each * all.length;
    await receiver.waitFor(delivered);
    return each * all.length;
  };
  const costOf = async (name: LoadName): Promise<Cost> => {
    const { batch, events } = LOADS[name];
    await send({ batch, events: sized(events * WARM_UP_SHARE, wish) });
    const [own, before] = [await routersMs(all), place && (await standOf(place))];
    const sent = await send({ batch, events: sized(events, wish) });
    const routerUs = (((await routersMs(all)) - own) * 1_000) / sent;
    return { routerUs, database: place && before && costBetween(before, await standOf(place), sent) };
  };
  return { batches: await costOf('batches'), singles: await costOf('singles') };
}

async function routersMs(all: readonly BenchRouter[]): Promise<number> {
  const each = await Promise.all(all.map((router) => router.processorMs()));
  return each.reduce((sum, one) => sum + one, 0);
}

const SIZE = reads('', 'SELECT pg_database_size(current_database()) AS bytes');

async function standOf({ server, database }: Place): Promise<DatabaseCost> {
  await database.run(script('CHECKPOINT'));
  const [size] = await database.run<{ readonly bytes: number }>(SIZE);
  return { us: databaseUs(server), walBytes: await position(database), diskBytes: size?.bytes ?? NaN };
}

function costBetween(before: DatabaseCost, after: DatabaseCost, events: number): DatabaseCost {
  return {
    us: (after.us - before.us) / events,
    walBytes: (after.walBytes - before.walBytes) / events,
    diskBytes: (after.diskBytes - before.diskBytes) / events,
  };
}

async function copyGrowth(wish: Wish): Promise<number> {
  const [one, many] = [await copyUs(1, wish), await copyUs(MANY, wish)];
  return many / one;
}

function copyUs(writers: number, wish: Wish): Promise<number> {
  return inFolder(async (folder) => {
    await using opened = new AsyncDisposableStack();
    const { server, database } = await openPlace(opened);
    const events = Math.max(COPY.batch * writers, sized(COPY.events, wish));
    await migrateDatabase(database);
    const copyAll = await preparedCopy(server, database, { events, batch: COPY.batch, writers, folder });
    const before = databaseUs(server);
    await copyAll();
    return (databaseUs(server) - before) / events;
  });
}
