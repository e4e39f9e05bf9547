import { expect, test } from 'vitest';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { Ids } from '../../storage/postgres/deliveries/ids.ts';
import { KnownIds } from '../../storage/postgres/deliveries/known-ids.ts';
import { Names } from '../../storage/postgres/names.ts';
import { ChangeFeed } from '../../storage/postgres/resources/change-feed.ts';
import { signingKey } from '../../storage/postgres/shared/signing-key.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { schemaWithTables } from '../support/postgres-schema.ts';
import { startPostgres } from '../support/postgres-server.ts';

const WAITING = reads('waiting', "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
const STANDBYS = reads('standbys', "SELECT current_setting('synchronous_standby_names') AS names");

/** What the router of the day before left, which may be on no standby. */
const LEFT = script(`
INSERT INTO names (name) VALUES ('workspaces/main/sources/web');
INSERT INTO commits (id, at, fingerprints) VALUES (1, now_ms(), '\\x0102030405060708090a0b0c');
SELECT nextval('ids');
INSERT INTO secrets (name, value) VALUES ('tokens', decode(repeat('00', 32), 'hex'));
UPDATE config_head SET version = 1, sequence = 1;
INSERT INTO config_changes (version, number, key, home, kind, name) VALUES (1, 1, gen_random_uuid(), '', 'workspaces', 'workspaces/old');
`);

/** What a router takes into its memory, by what another has left. */
const TAKES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  'the ids of messages': (database) => new KnownIds(database).follow(),
  'numbers for new deliveries': (database) => new Ids(database).reserve([1], 0),
  'the number of a name': (database) => new Names(database).find(['workspaces/main/sources/web']),
  'the name of a number': (database) => new Names(database).read([1]),
  'changes of the configuration': (database) => new ChangeFeed(database, NO_KEYS).refresh(),
  'the whole configuration': (database) => new ChangeFeed(database, NO_KEYS).open(),
  'the key of tokens': (database) => signingKey(database, NO_KEYS),
};

describeWithPostgres('what a router keeps in memory', () => {
  test('NODE-1: is on the synchronous standby before: after a failover, it would go on with what never was', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const { superuser } = opened.use(await schemaWithTables(server.url()));
    await superuser.run(LEFT);
    const address = { ...readAddress(server.url()), schema: superuser.schema };
    const waitFor = async (names: string): Promise<void> => {
      server.configure({ synchronous_standby_names: names });
      await server.reload();
      await expect.poll(() => superuser.run(STANDBYS)).toEqual([{ names }]);
    };
    for (const [what, take] of Object.entries(TAKES)) {
      const database = openDatabase(address);
      opened.defer(() => database.close());
      await waitFor('nobody');
      let isTaken = false;
      const taking = take(database).then(() => (isTaken = true));
      await expect.poll(() => superuser.run(WAITING), { message: what }).toHaveLength(1);
      expect(isTaken, what).toBe(false);
      await waitFor('');
      expect(await taking, what).toBe(true);
    }
  });

  test('NODE-1: what is no news waits for nobody', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const { superuser, database } = opened.use(await schemaWithTables(server.url()));
    const [feed, known] = [new ChangeFeed(database, NO_KEYS), new KnownIds(database)];
    await feed.open();
    await known.follow();
    server.configure({ synchronous_standby_names: 'nobody' });
    await server.reload();
    await expect.poll(() => superuser.run(STANDBYS)).toEqual([{ names: 'nobody' }]);
    await Promise.all([feed.refresh(), known.follow()]);
    expect(await superuser.run(WAITING)).toEqual([]);
    server.configure({ synchronous_standby_names: '' });
    await server.reload();
    await expect.poll(() => superuser.run(STANDBYS)).toEqual([{ names: '' }]);
  });
});
