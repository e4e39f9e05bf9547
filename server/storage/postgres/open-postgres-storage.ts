import { randomUUID } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { type Keyring, NO_KEYS } from '../secrets/keyring.ts';
import type { JobStorage } from '../job-storage.ts';
import type { Storage } from '../storage.ts';
import { CONFIRMS } from './connection/confirmed.ts';
import { countedFailures } from './connection/counted-failures.ts';
import type { Database } from './connection/database.ts';
import { tellingRefusals } from './connection/refusals.ts';
import type { KnownIds } from './deliveries/known-ids.ts';
import { type Deliveries, openDeliveries } from './deliveries/open-deliveries.ts';
import { renumberRestored } from './deliveries/restored.ts';
import { refuseHalfMoved } from './half-moved.ts';
import { makeDays } from './jobs/days.ts';
import { jobOperations } from './jobs/job-operations.ts';
import { addCounts } from './log/add-counts.ts';
import { logOperations } from './log/log-operations.ts';
import { placeOf } from './migrations/migrate.ts';
import { proveUsable } from './missing.ts';
import { Names } from './names.ts';
import { postgresProfiles } from './profiles/profiles.ts';
import { openPostgresConfigStore } from './resources/postgres-config-store.ts';
import { postgresResealing } from './resources/resealing.ts';
import { sharedState } from './shared/shared-state.ts';
import { usedIds } from './shared/used-ids.ts';
import { tellingOperations } from './tellings/telling-operations.ts';
import { type DatabaseTime, measuredTime } from './time.ts';

export interface PostgresParts {
  /** Whose tables have our format; it is closed with the storage. */
  readonly database: Database;
  readonly clock: Pick<Clock, 'steady' | 'sleep'>;
  readonly log: Log;
  /** Without one, secrets are stored in clear. */
  readonly keyring?: Keyring;
  /** By which the node is known over its lives. By default each process is another one. */
  readonly node?: string;
  /** Other than measured; for tests. */
  readonly time?: DatabaseTime;
}

/** Opens the storage that routers share. */
export async function openPostgresStorage(parts: PostgresParts): Promise<Storage> {
  const { clock, log, keyring = NO_KEYS, node = randomUUID(), time = measuredTime(clock) } = parts;
  const { database, failures } = countedFailures(tellingRefusals(parts.database, log));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => database.close());
  await refuseHalfMoved(database, placeOf(database));
  await makeDays(database);
  await renumberRestored(database);
  const resources = await openPostgresConfigStore({ database, clock, log, keyring });
  opened.defer(() => resources.close());
  const names = new Names(database);
  const refresh = (): Promise<void> => resources.refresh();
  const deliveries = await openDeliveries({ database, names, time, clock, log, node, refresh });
  opened.defer(() => deliveries.close());
  const running = opened.move();
  return {
    resources,
    deliveries: deliveries.verbs,
    log: logOperations({ database, time }),
    counting: { addCounts: addCounts(database, names) },
    usedIds: usedIds(database),
    jobs: forgettingJobs(jobOperations({ database, names, time, node }), deliveries.known, time),
    members: deliveries.verbs,
    tellings: tellingOperations({ database, names, time, ids: deliveries.ids }),
    profiles: postgresProfiles(database),
    shared: sharedState(database, keyring),
    resealing: postgresResealing(database, keyring),
    checks: [
      {
        name: 'database',
        attempt: () => prove(database, deliveries),
        failures: () => failures() + deliveries.refused(),
      },
    ],
    close: () => running.disposeAsync(),
  };
}

async function prove({ urgent, schema }: Database, { proveAble }: Pick<Deliveries, 'proveAble'>): Promise<void> {
  proveAble();
  await urgent.run(CONFIRMS);
  await proveUsable(urgent, schema);
}

/** What is purged in the database is forgotten in memory. */
function forgettingJobs(jobs: JobStorage, known: KnownIds, time: DatabaseTime): JobStorage {
  return {
    ...jobs,
    async purge(request) {
      const purged = await jobs.purge(request);
      known.forgetBefore(time.toDatabase(request.seenBefore));
      return purged;
    },
  };
}
