import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NO_SHARE } from '../../storage/members.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { StatementRefused } from '../../storage/postgres/connection/failures.ts';
import { refusalOf } from '../../storage/postgres/connection/pinned.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';

const ADD = writes('add_thing', 'INSERT INTO things VALUES ($1)');
const COUNT = reads('count_things', 'SELECT count(*) AS count FROM things');

describeWithPostgres('a session of PostgreSQL', () => {
  test('D-64: where the server has no connection left, those that a router has are waited for', async () => {
    await using place = await emptyPlace();
    const role = `r_${randomBytes(6).toString('hex')}`;
    await place.database.run(script(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 2`));
    const database = openDatabase({ ...readAddress(place.url), user: role });
    const slow = reads('slow', 'SELECT pg_sleep(0.05)');
    await database.run(slow);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => database.run(slow)));
    await database.close();
    await place.database.run(script(`DROP ROLE ${role}`));
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('of which a role may have none is refused with the way out', async () => {
    await using place = await emptyPlace();
    const role = `r_${randomBytes(6).toString('hex')}`;
    await place.database.run(script(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 0`));
    const database = openDatabase({ ...readAddress(place.url), user: role });
    await expect(database.run(reads('one', 'SELECT 1'))).rejects.toThrow('raise max_connections');
    await database.close();
    await place.database.run(script(`DROP ROLE ${role}`));
  });

  test('is pinned, whatever the role is set to', async () => {
    await using place = await emptyPlace();
    const role = `r_${randomBytes(6).toString('hex')}`;
    const others = [
      'plan_cache_mode = auto',
      'jit = on',
      'enable_nestloop = off',
      'enable_indexscan = off',
      'synchronous_commit = off',
      'search_path = public',
      'array_nulls = off',
      'row_security = on',
      'standard_conforming_strings = off',
      'transform_null_equals = on',
      'extra_float_digits = -10',
      'TimeZone = "Asia/Tokyo"',
      'idle_session_timeout = 50',
      'client_min_messages = error',
    ];
    await place.database.run(
      script(`CREATE ROLE ${role} LOGIN; ${others.map((one) => `ALTER ROLE ${role} SET ${one};`).join('')}`),
    );
    const database = openDatabase({ ...readAddress(place.url), user: role });
    const settings = await settingsOf(database);
    await database.close();
    await place.database.run(script(`DROP ROLE ${role}`));
    expect(settings).toMatchObject({
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
      synchronous_commit: 'on',
      search_path: `"${place.database.schema}", pg_temp`,
      statement_timeout: '5s',
      lock_timeout: '4s',
      idle_in_transaction_session_timeout: '10s',
      application_name: 'waybill',
      enable_nestloop: 'on',
      enable_indexscan: 'on',
      array_nulls: 'on',
      row_security: 'off',
      standard_conforming_strings: 'on',
      transform_null_equals: 'off',
      extra_float_digits: '1',
      TimeZone: 'UTC',
      idle_session_timeout: '0',
      client_min_messages: 'warning',
    });
  });

  test('what is urgent does not wait while all connections are at work', async () => {
    await using place = await emptyPlace();
    const database = openDatabase({ ...readAddress(place.url), pool: 2 });
    const gate = Promise.withResolvers<void>();
    const working = [1, 2].map(() => database.transaction(() => gate.promise));
    const answer = await database.urgent.run(reads('one', 'SELECT 1 AS one')).finally(() => gate.resolve());
    await Promise.all(working);
    await database.close();
    expect(answer).toEqual([{ one: 1 }]);
  });

  test('D-61: a router beats and hears of others while nothing else that it asks is answered', async () => {
    await using nodes = await postgresNodes(1_000_000);
    let isBusy = false;
    const spoil = (own: Database): Database => ({
      ...own,
      run: (statement, values) =>
        isBusy ? Promise.reject(new StoreUnavailable('all connections are at work')) : own.run(statement, values),
    });
    const { verbs } = await nodes.open('one', { spoil });
    await verbs.join({ now: nodes.now() });
    isBusy = true;
    const beat = await verbs.beat();
    const heard = await verbs.exchange({ waits: [], circuits: [], division: NO_SHARE }).finally(() => (isBusy = false));
    expect([beat, heard]).toMatchObject([{ members: [{ node: 'one' }] }, { members: [{ node: 'one' }] }]);
  });

  test('reads whole numbers as numbers, and refuses those that it cannot hold', async () => {
    await using place = await emptyPlace();
    const numbers = reads(
      'numbers',
      'SELECT $1::bigint AS one, sum(n) AS sum, array_agg(n) AS list, ARRAY[]::bigint[] AS none FROM unnest($2::bigint[]) n',
    );
    const largest = Number.MAX_SAFE_INTEGER;
    expect(await place.database.run(numbers, [largest, [1, largest - 1]])).toEqual([
      { one: largest, sum: largest, list: [1, largest - 1], none: [] },
    ]);
    await expect(place.database.run(reads('large', 'SELECT 9007199254740993 AS one'))).rejects.toThrow('2^53');
    expect(await place.database.run(reads('one', 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  test('a refused statement says which and why, without values, and its connection goes on', async () => {
    await using place = await thingsPlace();
    const { database } = place;
    await database.run(ADD, [1]);
    const connection = await connectionOf(database);
    const refusal = await database.run(ADD, [1]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StatementRefused);
    expect(refusal).toMatchObject({ code: '23505', constraint: 'things_pkey' });
    const invalid = await database.run(ADD, ['a secret']).catch((error: unknown) => error);
    expect(String(invalid)).toBe('StatementRefused: statement add_thing was refused (22P02)');
    const nameless = await database.run(script('DROP TYPE nowhere')).catch((error: unknown) => error);
    expect(String(nameless)).toBe('StatementRefused: a statement was refused (42704): type "nowhere" does not exist');
    expect(await connectionOf(database)).toEqual(connection);
  });

  test('a transaction keeps all of its work or nothing, and passes errors on', async () => {
    await using place = await thingsPlace();
    const { database } = place;
    const connection = await connectionOf(database);
    const broken = database.transaction(async (queries) => {
      await queries.run(ADD, [1]);
      throw new Error('own reason');
    });
    await expect(broken).rejects.toThrow('own reason');
    const twice = database.transaction(async (queries) => {
      await queries.run(ADD, [2]);
      await queries.run(ADD, [2]);
    });
    await expect(twice).rejects.toThrow(StatementRefused);
    await database.transaction((queries) => queries.run(ADD, [3]));
    expect(await database.run(COUNT)).toEqual([{ count: 1 }]);
    expect(await connectionOf(database)).toEqual(connection);
  });

  test('what the server ends by itself, because it takes too long or is in the way, leaves nothing behind', async () => {
    await using place = await thingsPlace();
    const { database } = place;
    const slow = database.transaction(async (queries) => {
      await queries.run(reads('hurry', "SELECT set_config('statement_timeout', '1ms', true)"));
      await queries.run(writes('add_slowly', 'INSERT INTO things SELECT 1 FROM pg_sleep(60)'));
    });
    await expect(slow).rejects.toThrow(StoreUnavailable);
    expect(await database.run(COUNT)).toEqual([{ count: 0 }]);
    await Promise.all([database.run(ADD, [1]), database.run(ADD, [2])]);
    const ends = await deadlock(database);
    expect(ends.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: expect.any(StoreUnavailable) },
    ]);
  });

  test('a session that the server ends is replaced', async () => {
    await using place = await thingsPlace();
    const { database } = place;
    const end = reads('end_self', 'SELECT pg_terminate_backend(pg_backend_pid())');
    await expect(database.run(end)).rejects.toThrow(StoreUnavailable);
    await database.run(ADD, [1]);
  });

  test('a channel is heard until its connection is lost', async () => {
    await using place = await emptyPlace();
    const { database } = place;
    const heard: string[] = [];
    const channel = `c_${randomBytes(6).toString('hex')}`;
    const listening = await database.listen(channel, (payload) => heard.push(payload));
    await database.run(writes('tell', 'SELECT pg_notify($1, $2)'), [channel, 'news']);
    await expect.poll(() => heard).toEqual(['news']);
    await database.run(
      reads('end_listener', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN ' || $1"),
      [`%${channel}%`],
    );
    await listening.lost;
    listening.close();
  });

  test('D-60: a server that is too old is refused by its version', () => {
    const state = { version: 150_000, versionText: '15.0', isStandby: false, readOnly: false, encoding: 'UTF8' };
    expect(refusalOf({ ...state, version: 140_020, versionText: '14.20' })?.message).toBe(
      'PostgreSQL 14.20 is too old: Waybill needs version 15 or newer',
    );
    expect(refusalOf(state)).toBeUndefined();
    for (const [read, why] of [
      [{ isStandby: true, readOnly: true }, 'it is a standby'],
      [{ readOnly: true }, 'default_transaction_read_only is on'],
    ] as const) {
      expect(refusalOf({ ...state, ...read })).toBeInstanceOf(StoreUnavailable);
      expect(refusalOf({ ...state, ...read })?.message).toContain(why);
    }
  });

  test('D-60: a database that cannot hold every character is refused at the start, not event by event', async () => {
    await using place = await emptyPlace();
    const name = `latin_${randomBytes(6).toString('hex')}`;
    const form = "ENCODING 'LATIN1' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'";
    await place.database.run(script(`CREATE DATABASE ${name} ${form}`));
    const database = openDatabase({ ...readAddress(place.url), database: name });
    const refusal = await database.run(COUNT).catch(String);
    await database.close();
    await place.database.run(script(`DROP DATABASE ${name}`));
    expect(refusal).toContain(
      'the database has the encoding LATIN1, which lacks characters of events: use one with UTF8',
    );
  });
});

async function thingsPlace() {
  const place = await emptyPlace();
  const { database } = place;
  await database.run(script(`CREATE SCHEMA ${database.schema}; CREATE TABLE things (id integer PRIMARY KEY)`));
  return place;
}

async function settingsOf(database: Database): Promise<Readonly<Record<string, string>>> {
  const rows = await database.run<{ readonly name: string; readonly setting: string }>(
    reads('settings', 'SELECT name, current_setting(name) AS setting FROM pg_settings'),
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/** The one that was used last: it is used first. */
function connectionOf(database: Database): Promise<readonly unknown[]> {
  return database.run(reads('own_pid', 'SELECT pg_backend_pid() AS pid'));
}

/** Two transactions that take the same two rows, each another one first. */
function deadlock(database: Database): Promise<PromiseSettledResult<void>[]> {
  const lock = writes('lock', 'UPDATE things SET id = id WHERE id = $1');
  const { promise: bothHaveOne, resolve } = Promise.withResolvers<void>();
  let having = 0;
  const take = (first: number, second: number): Promise<void> =>
    database.transaction(async (queries) => {
      await queries.run(lock, [first]);
      having += 1;
      if (having === 2) resolve();
      await bothHaveOne;
      await queries.run(lock, [second]);
    });
  return Promise.allSettled([take(1, 2), take(2, 1)]);
}
