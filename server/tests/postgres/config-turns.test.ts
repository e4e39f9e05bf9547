import { expect, test } from 'vitest';
import { openPostgresConfigStore } from '../../storage/postgres/resources/postgres-config-store.ts';
import { systemClock } from '../../system-clock.ts';
import { source, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

describeWithPostgres('changes of the configuration that wait', () => {
  test("SAFE-2: however many are of one workspace, another's waits for two of it, and all are made before the end", async () => {
    await using place = await postgresPlace();
    const store = await openPostgresConfigStore({
      database: place.database,
      clock: systemClock,
      log: new RecordingLog(),
    });
    for (const slug of ['a', 'b']) await store.create('workspaces', workspace(slug));
    const made: string[] = [];
    const create = async (own: string, slug: string): Promise<void> => {
      await store.create('sources', source(own, slug));
      made.push(`${own}/${slug}`);
    };
    const flood = Array.from({ length: 20 }, (_, index) => create('a', `s${index}`));
    const all = [...flood, create('b', 's')];
    await store.close();
    await new Promise(setImmediate);
    expect(made).toHaveLength(21);
    await Promise.all(all);
    expect(made.indexOf('b/s')).toBeLessThanOrEqual(2);
    expect(made.filter((one) => one !== 'b/s')).toEqual(flood.map((_, index) => `a/s${index}`));
  });
});
