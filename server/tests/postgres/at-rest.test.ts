import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDatabase } from '../../cli/doctor/database.ts';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { moveStorage } from '../../storage/move/move-storage.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { formatOf, migrateDatabase, stepsFrom } from '../../storage/postgres/migrations/migrate.ts';
import { MIGRATIONS } from '../../storage/postgres/migrations/migrations.ts';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { createKeyring, idOf, type Keyring } from '../../storage/secrets/keyring.ts';
import type { Storage } from '../../storage/storage.ts';
import { systemClock } from '../../system-clock.ts';
import { source, workspace } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { leaksIn } from '../support/leaks.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { isPossible } from '../support/possible.ts';
import { findPostgres, hasPostgresProgram } from '../support/postgres-server.ts';
import { fillWithSecrets, keyText, readableIn, SECRETS, startSecretWorld } from '../support/secret-world.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const [ONE, TWO] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const log = new RecordingLog();

/** What a superuser dumps, in three forms: text, rows as statements, and what pg_restore reads. */
function dumped({ url, database: { schema } }: PostgresPlace): string {
  const [folder, { hosts, database }] = [newFolder(), readAddress(url)];
  const { host = '', port = 0 } = hosts[0] ?? {};
  const env = { PGHOST: host, PGPORT: String(port), PGUSER: 'waybill', PGDATABASE: database };
  for (const form of ['--format=plain', '--inserts', '--format=tar']) {
    const args = [form, `--schema=${schema}`, `--file=${join(folder, form)}`];
    execFileSync(join(findPostgres() ?? '', 'pg_dump'), args, { env });
  }
  return folder;
}

const keys = (...numbers: number[]): string => numbers.map(keyText).join();

const opened = (url: string, ...given: (Buffer | 'none')[]): Promise<Storage> =>
  openStorage(url, log, { keyring: createKeyring(given) });

async function resealAll({ resealing }: Storage): Promise<void> {
  while (((await resealing?.step()) ?? 0) > 0);
}

describeWithPostgres('secrets in a database', () => {
  test.runIf(isPossible(hasPostgresProgram('pg_dump'), 'pg_dump'))(
    'SAFE-3: with keys, no secret can be read in a dump',
    async () => {
      await using place = await postgresPlace();
      const world = await startSecretWorld(place.url, keyText(1));
      await fillWithSecrets(world);
      await world.stop();
      expect(readableIn(dumped(place))).toEqual([]);
    },
  );

  test.runIf(isPossible(hasPostgresProgram('pg_dump'), 'pg_dump'))(
    'SAFE-3: without keys all are found in a dump; after a start with one none is, changes for other routers included',
    async () => {
      await using place = await postgresPlace();
      const world = await startSecretWorld(place.url, '');
      await fillWithSecrets(world);
      await world.stop();
      expect(readableIn(dumped(place))).toEqual(Object.values(SECRETS));
      const next = await startSecretWorld(place.url, keyText(1));
      await expect
        .poll(() => next.log.lines.map(({ message }) => message))
        .toContain('stored secrets were encrypted anew');
      expect(await next.send()).toBe(200);
      await next.stop();
      expect(readableIn(dumped(place))).toEqual([]);
    },
  );

  test('SAFE-3: a key is changed while routers that have both run; who lacks it is refused with its id', async () => {
    await using place = await postgresPlace();
    const [first, second] = [await opened(place.url, ONE), await opened(place.url, TWO, ONE)];
    await first.resources.create('workspaces', workspace('main'));
    await second.resources.create('sources', source('main', 'js'));
    await expect(first.resources.list('sources', 'workspaces/main', { after: 0, limit: 9 })).rejects.toThrow(
      `write_keys of workspaces/main/sources/js is encrypted with the key ${idOf(TWO)}, which was not given`,
    );
    const third = await opened(place.url, ONE, TWO);
    await third.resources.create('sources', source('main', 'ios'));
    expect(await second.resealing?.left()).toBe(2);
    await resealAll(second);
    expect(await second.resealing?.left()).toBe(0);
    expect((await sourceOfKey(third.resources, 'key-main-ios'))?.name).toBe('workspaces/main/sources/ios');
    for (const storage of [first, second, third]) await storage.close();
    const alone = await opened(place.url, TWO);
    expect((await sourceOfKey(alone.resources, 'key-main-js'))?.name).toBe('workspaces/main/sources/js');
    await alone.close();
    await expect(opened(place.url, ONE)).rejects.toThrow(`encrypted with the key ${idOf(TWO)}`);
  });

  test('SAFE-3: whole routers change the key, restarted one by one, and take events and changes all the while', async () => {
    await using place = await postgresPlace();
    const worlds = [await startSecretWorld(place.url, keys(1)), await startSecretWorld(place.url, keys(1))];
    if (worlds[0] !== undefined) await fillWithSecrets(worlds[0]);
    let changes = 0;
    const expectAllToWork = async (): Promise<void> => {
      for (const [index, world] of worlds.entries()) {
        const name = `workspaces/main/sources/s${(changes += 1)}`;
        expect(await world.ask('POST', '/workspaces/main/sources', { source: { name } })).toMatchObject({
          status: 200,
        });
        expect(await worlds[1 - index]?.ask('GET', `/${name}`)).toMatchObject({ status: 200 });
        expect(await world.send()).toBe(200);
      }
    };
    await expectAllToWork();
    for (const stage of [keys(1, 2), keys(2, 1), keys(2)]) {
      for (const index of worlds.keys()) {
        await worlds[index]?.stop();
        worlds[index] = await startSecretWorld(place.url, stage);
        await expectAllToWork();
      }
      if (stage !== keys(2, 1)) continue;
      const lines = () => worlds.flatMap(({ log: { lines: own } }) => own.map(({ message }) => message));
      await expect.poll(lines, { timeout: 20_000 }).toContain('stored secrets were encrypted anew');
    }
    for (const { stop } of worlds) await stop();
  });

  test('SAFE-3: a router that meets a value of a key it lacks says so with 503, and holds up nobody else', async () => {
    await using place = await postgresPlace();
    const behind = await startSecretWorld(place.url, keyText(1));
    await fillWithSecrets(behind);
    const hasty = await startSecretWorld(place.url, keys(2, 1));
    const made = { source: { name: 'workspaces/main/sources/hasty' } };
    expect((await hasty.ask('POST', '/workspaces/main/sources', made)).status).toBe(200);
    await expect.poll(() => behind.send()).toBe(503);
    expect((await behind.ask('GET', '/workspaces/main/sources')).status).toBe(503);
    const told = behind.log.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).join('\n');
    expect(told).toContain(idOf(TWO));
    expect(told).toContain('WAYBILL_SECRET_KEYS');
    expect(leaksIn(told, Object.values(SECRETS))).toEqual([]);
    for (let sent = 0; sent < 5; sent += 1) expect(await hasty.send()).toBe(200);
    await behind.stop();
    const again = await startSecretWorld(place.url, keys(1, 2));
    expect([await again.send(), await hasty.send()]).toEqual([200, 200]);
    for (const { stop } of [again, hasty]) await stop();
  });

  test('SAFE-3: a write key is unique over routers although each write of it is encrypted otherwise', async () => {
    await using place = await postgresPlace();
    const both = [await opened(place.url, ONE), await opened(place.url, ONE)] as const;
    await both[0].resources.create('workspaces', workspace('main'));
    const made = await Promise.all(
      both.map(({ resources }, index) => resources.create('sources', source('main', `s${index}`, 'the-same-key'))),
    );
    expect(made.toSorted()).toEqual(['created', 'write key taken']);
    for (const storage of both) await storage.close();
  });

  test('SAFE-3: more rows than a step has, and those kept for routers that are behind, are all encrypted, and again in clear', async () => {
    await using place = await postgresPlace();
    const before = await opened(place.url);
    await before.resources.create('workspaces', workspace('main'));
    for (let count = 0; count < 150; count += 1) await before.resources.create('sources', source('main', `s${count}`));
    const key = await before.shared?.signingKey();
    await before.close();
    const sealing = await opened(place.url, ONE);
    // A row of the resources and one of the changes for each source, and the key that tokens are signed with.
    expect(await sealing.resealing?.left()).toBe(301);
    await resealAll(sealing);
    expect(await sealing.resealing?.left()).toBe(0);
    expect(await sealing.shared?.signingKey()).toEqual(key);
    await sealing.close();
    const back = await opened(place.url, 'none', ONE);
    await resealAll(back);
    await back.close();
    const clear = await opened(place.url);
    expect(await clear.shared?.signingKey()).toEqual(key);
    expect((await sourceOfKey(clear.resources, 'key-main-s149'))?.display_name).toBe('s149');
    await clear.close();
  });

  test('SAFE-3: whatever characters one workspace has in its names, the secrets of all are encrypted', async () => {
    await using place = await postgresPlace();
    const before = await opened(place.url);
    await before.resources.create('workspaces', workspace('main'));
    for (const slug of ['js', 'ios'])
      await before.resources.create('sources', { ...source('main', slug), display_name: 'n\0l \ud800' });
    await before.close();
    const sealing = await opened(place.url, ONE);
    expect(await sealing.resealing?.left()).toBeGreaterThan(0);
    await resealAll(sealing);
    expect(await sealing.resealing?.left()).toBe(0);
    expect((await sourceOfKey(sealing.resources, 'key-main-js'))?.display_name).toBe('n\0l \ud800');
    await sealing.close();
  });

  test('SAFE-3: routers of versions that cannot decrypt are shut out with the first start with a key, and not before', async () => {
    await using place = await postgresPlace();
    const older = MIGRATIONS.slice(0, 4);
    const steps = async () => stepsFrom(await formatOf(place.database), 'here', older);
    await (await opened(place.url)).close();
    expect(await steps()).toEqual([]);
    await (await opened(place.url, ONE)).close();
    await expect(steps()).rejects.toThrow('start a newer version of Waybill');
  });

  test('SAFE-3: a router that runs without the key refuses to route by what it cannot read, and goes on once it can', async () => {
    await using place = await postgresPlace();
    let keyring: Keyring = createKeyring([]);
    const late: Keyring = { ...keyring, open: (...sealed) => keyring.open(...sealed) };
    const store = await openPostgresConfigStore({ database: place.database, clock: systemClock, log, keyring: late });
    const other = await opened(place.url, ONE);
    await other.resources.create('workspaces', workspace('main'));
    await other.resources.create('sources', source('main', 'js'));
    await expect(store.refresh()).rejects.toThrow('add that key to WAYBILL_SECRET_KEYS');
    keyring = createKeyring([ONE]);
    expect((await sourceOfKey(store, 'key-main-js'))?.name).toBe('workspaces/main/sources/js');
    await store.close();
    await other.close();
  });

  test.runIf(isPossible(hasPostgresProgram('pg_dump'), 'pg_dump'))(
    'SAFE-3: a storage is moved with its secrets encrypted, there and back',
    async () => {
      await using place = await postgresPlace();
      const [folder, back] = [newFolder(), join(newFolder(), 'back')];
      const world = await startSecretWorld(`file:${folder}`, keyText(1));
      await fillWithSecrets(world);
      await world.stop();
      await expect(
        folderSource(folder, log)((from) => databaseTarget(place.url, log)((to) => moveStorage(from, to))),
      ).rejects.toThrow(`encrypted with the key ${idOf(ONE)}`);
      const keyring = createKeyring([TWO, ONE]);
      await folderSource(
        folder,
        log,
        keyring,
      )((from) => databaseTarget(place.url, log, keyring)((to) => moveStorage(from, to)));
      expect(readableIn(dumped(place))).toEqual([]);
      mkdirSync(back);
      await databaseSource(
        place.url,
        createKeyring([TWO]),
      )((from) => folderTarget(back, createKeyring([TWO]))((to) => moveStorage(from, to)));
      expect(readableIn(back)).toEqual([]);
      expect(await (await startSecretWorld(`file:${back}`, keyText(2))).send()).toBe(200);
    },
  );

  test('SAFE-3: waybill doctor tells of a database with which keys its secrets are encrypted', async () => {
    await using place = await postgresPlace();
    const storage = await opened(place.url, ONE);
    await storage.resources.create('workspaces', workspace('main'));
    await storage.resources.create('sources', source('main', 'js'));
    await storage.close();
    const told = async (...known: Buffer[]): Promise<unknown> => {
      const { findings } = await checkDatabase(place.url, 'here', createKeyring(known));
      return findings.find(({ check }) => check === 'secrets');
    };
    expect(await told(ONE)).toMatchObject({ status: 'ok', detail: `encrypted with the key ${idOf(ONE)}` });
    expect(await told(TWO, ONE)).toMatchObject({ status: 'warning' });
    expect(await told()).toMatchObject({ status: 'failed', detail: expect.stringContaining(idOf(ONE)) });
  });

  test('a database of the format before encryption is brought to it with nothing shut out', async () => {
    await using place = await postgresPlace();
    await place.superuser.run(script('UPDATE waybill_format SET version = 4, oldest = 1'));
    await migrateDatabase(place.superuser, MIGRATIONS.slice(0, 5));
    expect(await formatOf(place.database)).toEqual({ version: 5, oldest: 1 });
  });
});
