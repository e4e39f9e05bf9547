import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import { migrateDatabase } from '../../storage/postgres/migrations/migrate.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { type PostgresServer, startPostgres, startStandby } from '../support/postgres-server.ts';

const THINGS = 'CREATE SCHEMA waybill; CREATE TABLE waybill.things (id integer PRIMARY KEY)';
const ADD = writes('add_thing', 'INSERT INTO things VALUES ($1)');
const LIST = reads('list_things', 'SELECT id FROM things ORDER BY id');

describeWithPostgres('a router whose primary dies', () => {
  test('D-60: writes to the standby once that is the primary, and keeps what was confirmed', async () => {
    await using pair = await startPair();
    const { primary, standby, database } = pair;
    await database.run(ADD, [1]);
    await primary.end('immediate');
    const refusal = await refusalOf(database, 2);
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    // The standby is there, and takes no writes.
    expect(String(refusal)).toContain('the server is read-only');
    await standby.promote();
    // What was asked before is asked of no server of after it.
    await expect(database.run(ADD, [3])).rejects.toThrow('another server has taken over');
    await database.run(ADD, [3]);
    expect(await database.run(LIST)).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('NODE-1: never goes back to the old primary, however that returns', async () => {
    await using pair = await startPair();
    const { primary, standby, database } = pair;
    await database.run(ADD, [1]);
    await primary.end('immediate');
    await standby.promote();
    await expect(database.run(ADD, [2])).rejects.toThrow(StoreUnavailable);
    await database.run(ADD, [2]);
    // As if it had never had a standby: it takes whatever it is given.
    primary.configure({ synchronous_standby_names: '' });
    await primary.start();
    await using newcomer = openBoth(primary, standby);
    await newcomer.run(ADD, [3]);
    expect(await database.run(LIST)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    await standby.end('immediate');
    for (const refusal of await Promise.all([database, newcomer].map((one) => refusalOf(one, 4)))) {
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(String(refusal)).toContain('another server has been promoted since');
    }
  });

  test('NODE-1: however many ask at once, each is answered by whichever server takes writes', async () => {
    await using pair = await startPair();
    await using newcomer = openBoth(pair.standby, pair.primary, 2);
    const answers = Array.from({ length: 20 }, (_, id) => newcomer.run(ADD, [id]));
    await expect(Promise.all(answers)).resolves.toHaveLength(20);
  });

  test('NODE-4: routers hear of each other on a standby that was promoted a moment after the tables were made', async () => {
    await using pair = await startPair('');
    const { primary, standby } = pair;
    await migrateDatabase(pair.database);
    await primary.end('immediate');
    await standby.promote();
    await using database = openBoth(primary, standby);
    const news = reads('news', 'SELECT id FROM news ORDER BY id');
    for (const waits of ['[1]', '[2]'])
      await database.run(writes('tell', 'INSERT INTO news (node, waits, circuits) VALUES (1, $1, $1)'), [waits]);
    expect(await database.run(news)).toHaveLength(2);
  });

  test('NODE-1: notices that the server was put back to an earlier moment', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const data = join(server.folder, 'data');
    const copy = `${data}-before`;
    const database = openDatabase(readAddress(server.url()));
    opened.defer(() => database.close());
    await database.run(script(THINGS));
    await server.end('fast');
    await copied(data, copy);
    await server.start();
    for (const id of [1, 2, 3]) await database.run(ADD, [id]);
    await server.end('fast');
    await server.start();
    const before = database.timeline();
    await database.run(ADD, [4]);
    expect(database.timeline()).toBe(before);
    await server.end('fast');
    rmSync(data, { recursive: true });
    await copied(copy, data);
    await server.start();
    await expect(database.run(ADD, [5])).rejects.toThrow('this one was put back to an earlier moment');
    expect(database.timeline()).toBe(before + 1);
    await database.run(ADD, [6]);
    expect(await database.run(LIST)).toEqual([{ id: 6 }]);
  });

  test('D-64: works again by itself once the server is back', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const database = openDatabase(readAddress(server.url()));
    opened.defer(() => database.close());
    await database.run(script(THINGS));
    await server.end('fast');
    await expect(database.run(ADD, [1])).rejects.toThrow(StoreUnavailable);
    await server.start();
    await database.run(ADD, [2]);
  });
});

/** With the user that it is of. */
async function copied(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  await promisify(execFile)('chown', ['-R', `--reference=${from}`, to]);
}

/** Of both servers, in this order. */
function openBoth(first: PostgresServer, second: PostgresServer, pool = 10): Database & AsyncDisposable {
  const [one, other] = [readAddress(first.url()), readAddress(second.url())];
  const database = openDatabase({ ...one, pool, hosts: [...one.hosts, ...other.hosts] });
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

interface Pair extends AsyncDisposable {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Of both; the standby stands first in its URL. */
  readonly database: Database;
}

/** A primary that waits for its synchronous standby. */
async function startPair(tables = THINGS): Promise<Pair> {
  await using opened = new AsyncDisposableStack();
  const primary = await startPostgres();
  opened.defer(() => primary.stop());
  const standby = await startStandby(primary);
  opened.defer(() => standby.stop());
  primary.configure({ synchronous_standby_names: 'standby' });
  await primary.reload();
  const database = openBoth(standby, primary);
  opened.defer(() => database.close());
  await database.run(script(tables));
  const all = opened.move();
  return { primary, standby, database, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** What a connection took that dies with its server may have happened or not; the next statement finds no server. */
async function refusalOf(database: Database, id: number): Promise<unknown> {
  const add = (): Promise<unknown> => database.run(ADD, [id]).catch((error: unknown) => error);
  const first = await add();
  return first instanceof OutcomeUnknown ? add() : first;
}
