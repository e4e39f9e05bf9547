import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { type Host, readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, DEADLINE_MS, openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';

afterEach(() => vi.useRealTimers());

const ADD = writes('add_thing', 'INSERT INTO things VALUES ($1)');
const COUNT = reads('count_things', 'SELECT count(*) AS count FROM things');

describeWithPostgres('an answer of PostgreSQL that is lost', () => {
  test('NODE-6: to a statement that writes has an unknown outcome', async () => {
    await using world = await cutWorld();
    world.proxy.loseAnswerTo('add_thing');
    await expect(world.database.run(ADD, [1])).rejects.toThrow(OutcomeUnknown);
    expect(await countIn(world)).toBe(1);
  });

  test('NODE-6: to a statement that reads leaves nothing behind', async () => {
    await using world = await cutWorld();
    world.proxy.loseAnswerTo('count_things');
    await expect(world.database.run(COUNT)).rejects.toThrow(StoreUnavailable);
  });

  test('NODE-6: within a transaction leaves nothing behind', async () => {
    await using world = await cutWorld();
    world.proxy.loseAnswerTo('add_thing');
    await expect(world.database.transaction((queries) => queries.run(ADD, [1]))).rejects.toThrow(StoreUnavailable);
    expect(await countIn(world)).toBe(0);
  });

  test('NODE-6: to the commit of a transaction that wrote has an unknown outcome', async () => {
    await using world = await cutWorld();
    world.proxy.loseAnswerTo('COMMIT');
    await expect(world.database.transaction((queries) => queries.run(ADD, [1]))).rejects.toThrow(OutcomeUnknown);
    expect(await countIn(world)).toBe(1);
  });

  test('NODE-6: to the commit of a transaction that only read leaves nothing behind', async () => {
    await using world = await cutWorld();
    world.proxy.loseAnswerTo('COMMIT');
    await expect(world.database.transaction((queries) => queries.run(COUNT))).rejects.toThrow(StoreUnavailable);
  });

  test('NODE-6: because the request never arrived has an unknown outcome too', async () => {
    await using world = await cutWorld();
    world.proxy.loseRequest('add_thing');
    await expect(world.database.run(ADD, [1])).rejects.toThrow(OutcomeUnknown);
    expect(await countIn(world)).toBe(0);
  });

  test('D-63: after the deadline has an unknown outcome, and no connection of that time is used again', async () => {
    await using world = await cutWorld();
    const { database, proxy } = world;
    // Two connections, of which the second is idle when the first falls silent.
    await Promise.all([database.run(COUNT), database.run(COUNT)]);
    proxy.silence();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = database.run(ADD, [1]).catch((error: unknown) => error);
    await setImmediate();
    vi.advanceTimersByTime(DEADLINE_MS);
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    vi.useRealTimers();
    proxy.heal();
    await database.run(ADD, [2]);
    expect(await countIn(world)).toBe(1);
  });

  test('D-64: a server that cannot be reached is named, without the password', async () => {
    const proxy = await CuttingProxy.start({ port: 1, host: '127.0.0.1' });
    await using database = disposable(
      openDatabase(readAddress(`postgres://who:hidden-word@127.0.0.1:${proxy.port}/where`)),
    );
    await proxy[Symbol.asyncDispose]();
    const error: unknown = await database.run(COUNT).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain(`127.0.0.1:${proxy.port}`);
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain('hidden-word');
  });
});

interface CutWorld extends AsyncDisposable {
  readonly proxy: CuttingProxy;
  /** Through the proxy. */
  readonly database: Database;
  readonly place: PostgresPlace;
}

async function cutWorld(): Promise<CutWorld> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await emptyPlace());
  const { schema } = place.database;
  await place.database.run(script(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.things (id integer PRIMARY KEY)`));
  const address = readAddress(place.url);
  const proxy = opened.use(await CuttingProxy.start({ path: address.hosts.map(socketOf).join('') }));
  const hosts = [{ host: '127.0.0.1', port: proxy.port, ssl: undefined }];
  const database = opened.use(disposable(openDatabase({ ...address, hosts })));
  const world = opened.move();
  return { proxy, database, place, [Symbol.asyncDispose]: () => world.disposeAsync() };
}

function socketOf({ host, port }: Host): string {
  return `${host}/.s.PGSQL.${port}`;
}

async function countIn({ place }: CutWorld): Promise<number | undefined> {
  const [row] = await place.database.run<{ readonly count: number }>(COUNT);
  return row?.count;
}

function disposable(database: Database): Database & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}
