import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { script, type Statement } from '../../storage/postgres/connection/statement.ts';
import { Ids } from '../../storage/postgres/deliveries/ids.ts';
import { KnownIds } from '../../storage/postgres/deliveries/known-ids.ts';
import { eraseUsers } from '../../storage/postgres/jobs/erase-users.ts';
import type { JobParts } from '../../storage/postgres/jobs/job-operations.ts';
import { Names } from '../../storage/postgres/names.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import { ChangeFeed } from '../../storage/postgres/resources/change-feed.ts';
import { lossStorage } from '../../storage/postgres/shared/losses.ts';
import { signingKey } from '../../storage/postgres/shared/signing-key.ts';
import { measuredTime } from '../../storage/postgres/time.ts';
import { systemClock } from '../../system-clock.ts';
import { workspace } from '../support/config-resources.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { schemaWithTables } from '../support/postgres-schema.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { expectStandbys, WAITING } from '../support/postgres-standby.ts';

/** What the router of the day before left, which may be on no standby. */
const LEFT = script(`
INSERT INTO names (name) VALUES ('workspaces/main/sources/web');
INSERT INTO commits (id, at, fingerprints) VALUES (1, now_ms(), '\\x0102030405060708090a0b0c');
SELECT nextval('ids');
INSERT INTO secrets (name, value) VALUES ('tokens', decode(repeat('00', 32), 'hex'));
UPDATE config_head SET version = 1, sequence = 1;
INSERT INTO config_changes (version, number, key, home, kind, name) VALUES (1, 1, gen_random_uuid(), '', 'workspaces', 'workspaces/old');
`);

const OF_A_USER = { scope: 'workspaces/main', userIds: ['ada'] };
const A_PAGE = { now: 0, after: '0', limit: 10 };

function partsOf(database: Database): JobParts {
  return { database, names: new Names(database), time: measuredTime(systemClock), node: 'one' };
}

/** What a router takes into its memory, by what another has left, and what it answers when it finds nothing. */
const TAKES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'the ids of messages': (database) => new KnownIds(database, measuredTime(systemClock)).follow(),
  'numbers for new deliveries': (database) => new Ids(database).reserve([1], 0),
  'the number of a name': (database) => new Names(database).find(['workspaces/main/sources/web']),
  'the name of a number': (database) => new Names(database).read([1]),
  'changes of the configuration': (database) => new ChangeFeed(database, NO_KEYS).refresh(),
  'the whole configuration': (database) => new ChangeFeed(database, NO_KEYS).open(),
  'the key of tokens': (database) => signingKey(database, NO_KEYS),
  'that nothing of a user is stored': (database) => eraseUsers(partsOf(database))({ ...OF_A_USER, ...A_PAGE }),
  'that no detail of losses names a user': (database) => lossStorage(database).eraseItems(OF_A_USER),
  'that a user has no profile': (database) =>
    postgresProfiles(database).erase({
      workspace: OF_A_USER.scope,
      userIds: OF_A_USER.userIds,
      spaces: () => Promise.resolve([]),
    }),
};

/** As after a failover, once `promote` was called. */
function promoted(own: Database): { readonly database: Database; readonly names: Names; readonly promote: () => void } {
  let timeline = 1;
  const database = { ...own, timeline: () => timeline };
  return { database, names: new Names(database), promote: () => void (timeline += 1) };
}

/** All that was ever changed is that this workspace was made. */
function onlyChange(slug: string): Statement {
  return script(
    `UPDATE config_head SET version = 1, sequence = 1; DELETE FROM config_changes; DELETE FROM resources;
     INSERT INTO resources VALUES ('workspaces/${slug}', 'workspaces', '', 1, '${JSON.stringify(workspace(slug))}');
     INSERT INTO config_changes SELECT 1, 1, gen_random_uuid(), '', kind, name, sequence, body FROM resources`,
  );
}

describeWithPostgres('what a router keeps in memory, or says that it is gone', () => {
  test('NODE-1: is so on the synchronous standby before: after a failover, it would go on with what never was', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const { superuser } = opened.use(await schemaWithTables(server.url()));
    await superuser.run(LEFT);
    const address = { ...readAddress(server.url()), schema: superuser.schema };
    for (const [what, take] of Object.entries(TAKES)) {
      const database = openDatabase(address);
      opened.defer(() => database.close());
      await expectStandbys(server, superuser, 'nobody');
      let isTaken = false;
      const taking = take(database).then(() => (isTaken = true));
      await expect.poll(() => superuser.run(WAITING), { message: what }).toHaveLength(1);
      expect(isTaken, what).toBe(false);
      await expectStandbys(server, superuser, '');
      expect(await taking, what).toBe(true);
    }
  });

  test('NODE-1: numbers of names are those of the server that was promoted, which may have given them to others', async () => {
    await using place = await postgresPlace();
    const { database, names, promote } = promoted(place.database);
    const [secret, other] = ['workspaces/a/sources/secret', 'workspaces/b/sources/other'];
    await names.add([secret]);
    const number = names.idOf(secret);
    await place.superuser.run(script('DELETE FROM names; ALTER TABLE names ALTER COLUMN id RESTART'));
    await new Names(database).add([other]);
    promote();
    expect(() => names.idOf(secret)).toThrow(StoreUnavailable);
    expect(() => names.nameOf(number)).toThrow(StoreUnavailable);
    await names.read([number]);
    expect(names.nameOf(number)).toBe(other);
    await names.add([secret]);
    expect(names.idOf(secret)).not.toBe(number);
  });

  test('NODE-1: so are those that the server of before was asked for, and answers late', async () => {
    await using place = await postgresPlace();
    const { database, promote } = promoted(place.database);
    const name = 'workspaces/a/sources/secret';
    await new Names(database).add([name]);
    const names = new Names({
      timeline: database.timeline,
      async run<Row>(...asked: Parameters<Database['run']>) {
        const rows = await database.run<Row>(...asked);
        promote();
        // Somebody else asks for a name meanwhile.
        names.hasAll([]);
        return rows;
      },
    });
    await names.find([name]);
    expect(() => names.idOf(name)).toThrow(StoreUnavailable);
  });

  test('NODE-5: so is the configuration, also where that server has another change of the same version', async () => {
    await using place = await postgresPlace();
    const { database, promote } = promoted(place.database);
    const feed = new ChangeFeed(database, NO_KEYS);
    await feed.open();
    const told: string[] = [];
    feed.watch(({ changes }) => changes.forEach(({ name }) => told.push(name)));
    await place.superuser.run(onlyChange('lost'));
    await feed.refresh();
    await place.superuser.run(onlyChange('new'));
    promote();
    await feed.refresh();
    expect(told).toEqual(['workspaces/lost', 'workspaces/lost', 'workspaces/new']);
    await feed.refresh();
    expect(told).toHaveLength(3);
  });

  test('NODE-1: what is no news waits for nobody', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const { superuser, database } = opened.use(await schemaWithTables(server.url()));
    const [feed, known] = [new ChangeFeed(database, NO_KEYS), new KnownIds(database, measuredTime(systemClock))];
    await feed.open();
    await known.follow();
    await expectStandbys(server, superuser, 'nobody');
    await Promise.all([feed.refresh(), known.follow()]);
    expect(await superuser.run(WAITING)).toEqual([]);
    await expectStandbys(server, superuser, '');
  });
});
