import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { script } from '../../storage/postgres/connection/statement.ts';
import { FIND_COMMIT } from '../../storage/postgres/resources/statements.ts';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { systemClock } from '../../system-clock.ts';
import { source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { allSteps, type Asked, planOf, type PlanStep, recorded } from '../support/plans.ts';
import { describeWithPostgres, type PostgresPlace, postgresPlace } from '../support/postgres-place.ts';

/** A start reads all versions. */
const READS_ALL = ['config_versions'];

/** Each statement of the configuration, as it was last asked. */
async function askAll(place: PostgresPlace): Promise<readonly Asked[]> {
  const { database, asked } = recorded(place.database);
  const store = await openPostgresConfigStore({ database, clock: systemClock, log: new RecordingLog() });
  await store.create('workspaces', workspace('main'));
  await store.create('sources', source('main', 'js'));
  await database.run(FIND_COMMIT, [1, '00000000-0000-0000-0000-000000000000']);
  await store.close();
  return [...asked.values()];
}

const FILL = script(`
  INSERT INTO resources SELECT 'n' || n, 'sources', 'w' || n / 5, n, '{}' FROM generate_series(1, 20000) n;
  INSERT INTO config_versions SELECT 'w' || n, 1 FROM generate_series(1, 4000) n;
  INSERT INTO config_changes SELECT n, number, gen_random_uuid(), '', '', '', 1, '{}'
    FROM generate_series(10, 1000) n, generate_series(1, 20) number`);

describeWithPostgres('plans of the configuration', () => {
  test('each is the same whatever statistics say, and none reads a large table from one end to the other', async () => {
    await using place = await postgresPlace();
    const asked = await askAll(place);
    const texts = readFileSync('server/storage/postgres/resources/statements.ts', 'utf8');
    const written = [...texts.matchAll(/(?:reads|writes)\(\s*'([a-z_]+)'/g)].map(([, name = '']) => name);
    expect(asked.map(({ statement }) => statement.name).toSorted()).toEqual(written.toSorted());
    const planAll = async (): Promise<Scans> => {
      const scans: [string, string[]][] = [];
      for (const one of asked) scans.push([one.statement.name, scansOf(await planOf(place.url, one))]);
      return Object.fromEntries(scans);
    };
    const empty = await planAll();
    await place.superuser.run(script('ANALYZE'));
    await place.database.run(FILL);
    expect(await planAll()).toEqual(empty);
    await place.superuser.run(script('ANALYZE'));
    expect(await planAll()).toEqual(empty);
    const whole = Object.entries(empty).filter(([name]) => !READS_ALL.includes(name));
    expect(whole.filter(([, scans]) => scans.some((scan) => scan.startsWith('Seq Scan')))).toEqual([]);
  });
});

/** What each statement reads, and how. */
type Scans = Record<string, readonly string[]>;

/** But for the head, which is one row. */
function scansOf(plan: PlanStep): string[] {
  const steps = allSteps(plan).filter(({ table }) => table !== undefined && table !== 'config_head');
  return steps.map(({ does, table, index = '' }) => `${does} ${table} ${index}`).toSorted();
}
