import { expect, test } from 'vitest';
import { checkDatabase } from '../../cli/doctor/database.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, openDatabase, type Transactions } from '../../storage/postgres/connection/database.ts';
import { CONFIRMS } from '../../storage/postgres/connection/confirmed.ts';
import { DatabaseUnfit } from '../../storage/postgres/connection/failures.ts';
import { reads } from '../../storage/postgres/connection/statement.ts';
import { migratePlace, openMigrated, planMigration } from '../../storage/postgres/open-migrated.ts';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { StorageUnusable } from '../../storage/errors.ts';
import { NO_KEYS } from '../../storage/secrets/keyring.ts';
import { systemClock } from '../../system-clock.ts';
import { accepted, NOW } from '../conformance/delivery-store-events.ts';
import { workspace } from '../support/config-resources.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import { TransactionPooler } from '../support/transaction-pooler.ts';

const WAY_OUT = 'connect it to the server itself, or to a pooler in session mode';

describeWithPostgres('a pooler between a router and its database', () => {
  test.each(['latest', 'oldest'] as const)(
    'ING-10: in transaction mode is refused by all commands, where it gives out the %s session',
    async (which) => {
      await using place = await emptyPlace();
      await using pooler = await TransactionPooler.start(socketOf(place.url), which);
      const url = urlAt(pooler.port, place.url);
      for (const command of [planMigration, migratePlace, (own: string) => openMigrated(own, new RecordingLog())]) {
        const refusal = await command(url).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(StorageUnusable);
        expect(String(refusal)).toContain(WAY_OUT);
      }
      const { findings } = await checkDatabase(url, 'here', NO_KEYS);
      expect(findings).toEqual([{ check: 'database', status: 'failed', detail: expect.stringContaining(WAY_OUT) }]);
    },
  );

  test('is let through where each connection keeps its session', async () => {
    await using place = await emptyPlace();
    await using proxy = await CuttingProxy.start(socketOf(place.url));
    const database = openDatabase(readAddress(urlAt(proxy.port, place.url)));
    await expect(database.refusePooler()).resolves.toBeUndefined();
    await database.close();
  });

  test.each(['off', 'local', 'remote_write'])(
    'ING-10: a session with synchronous_commit = %s, which another set up, stores no event, and no change',
    async (how) => {
      await using nodes = await postgresNodes(NOW);
      let isForeign = false;
      const spoil = (own: Database): Database => (isForeign ? { ...own, ...foreign(own, how) } : own);
      const spoiling = (own: Database): Database => ({
        ...own,
        run: (...asked) => spoil(own).run(...asked),
        transaction: (work) => spoil(own).transaction(work),
      });
      const { verbs } = await nodes.open('one', { spoil: spoiling });
      await verbs.accept(batchOf([accepted('m1', false)]));
      const options = { database: spoiling(nodes.database), clock: systemClock, log: new RecordingLog() };
      const config = await openPostgresConfigStore(options);
      isForeign = true;
      const accept = verbs.accept(batchOf([accepted('m2', false)]));
      await expect(accept).rejects.toThrow(`synchronous_commit is ${how}`);
      await expect(accept).rejects.toThrow('pool_mode = session');
      const change = config.create('workspaces', workspace('beside'));
      await expect(change).rejects.toThrow(DatabaseUnfit);
      await expect(nodes.database.run(CONFIRMS)).resolves.toHaveLength(1);
      await expect(foreign(nodes.database, how).run(CONFIRMS)).rejects.toThrow(DatabaseUnfit);
      isForeign = false;
      expect([await nodes.count('commits'), await nodes.count('config_changes')]).toEqual([1, 0]);
      await config.close();
    },
  );
});

/** Its transactions are in a session that is set up otherwise. */
function foreign(own: Database, how: string): Transactions {
  const set = reads('set_up_otherwise', "SELECT set_config('synchronous_commit', $1, true)");
  const transaction: Transactions['transaction'] = (work) =>
    own.transaction(async (queries) => {
      await queries.run(set, [how]);
      return work(queries);
    });
  return { transaction, run: (...asked) => transaction((queries) => queries.run(...asked)) };
}

function socketOf(url: string): { readonly path: string } {
  const [first] = readAddress(url).hosts;
  return { path: `${first?.host}/.s.PGSQL.${first?.port}` };
}

function urlAt(port: number, url: string): string {
  return url.replace(/@[^/]*/, `@127.0.0.1:${port}`);
}
