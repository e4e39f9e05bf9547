import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { sharedState } from '../../storage/postgres/shared/shared-state.ts';
import { allSteps, type Asked, planOf, recorded } from '../support/plans.ts';
import { describeWithPostgres, type PostgresPlace, postgresPlace } from '../support/postgres-place.ts';

const MINUTE = 60_000;

/** Read whole: keys of the last minutes, of which few are over; the one row that says when counting began. */
const READS_ALL = new Set(['tidy_rates', 'read_loss_since']);

/** Each statement of what routers share, as it was last asked. */
async function askAll(place: PostgresPlace): Promise<readonly Asked[]> {
  const { database, asked } = recorded(place.database);
  const shared = sharedState(database);
  await shared.take({ key: 'a', windowMs: MINUTE });
  await shared.useOnce({ owner: 's', id: 'a', forMs: MINUTE, limit: 10 });
  await shared.signingKey();
  const count = { owner: 's', list: 'dropped', what: 'w', detail: 'd', count: 1, firstAt: 1, lastAt: 1 };
  await shared.addLosses({ counts: [count], items: [{ owner: 's', list: 'dropped', item: '{}' }] });
  await shared.losses({ owners: ['s'], lists: ['dropped'] });
  await shared.tidy();
  return [...asked.values()];
}

const FILL = script(`
  INSERT INTO rates SELECT 'k' || n, 1, 9e15 FROM generate_series(1, 20000) n;
  INSERT INTO used_ids SELECT 's' || n % 20, int4send(n), 9e15 FROM generate_series(1, 20000) n;
  INSERT INTO loss_counts SELECT 's' || n % 50, 'dropped', 99999, 'w', n::text, 1, 1, 1 FROM generate_series(1, 20000) n;
  INSERT INTO loss_items (owner, list, at, item) SELECT 's' || n % 50, 'dropped', 9e15, '{}'
    FROM generate_series(1, 20000) n`);

/** What each statement reads from one end to the other. */
async function wholeReads(place: PostgresPlace, asked: readonly Asked[]): Promise<string[]> {
  const found: string[] = [];
  for (const one of asked) {
    if (READS_ALL.has(one.statement.name)) continue;
    const steps = allSteps(await planOf(place.url, one));
    for (const { does, table } of steps) if (does === 'Seq Scan') found.push(`${one.statement.name}: ${table}`);
  }
  return found;
}

describeWithPostgres('plans of what routers share', () => {
  test('no statement reads a large table from one end to the other, whatever statistics say', async () => {
    await using place = await postgresPlace();
    const asked = await askAll(place);
    const texts = globSync('server/storage/postgres/shared/*.ts').map((file) => readFileSync(file, 'utf8'));
    const written = [...texts.join('\n').matchAll(/(?:reads|writes)\(\s*'([a-z_]+)'/g)].map(([, name = '']) => name);
    expect(asked.map(({ statement }) => statement.name).toSorted()).toEqual(written.toSorted());
    expect(await wholeReads(place, asked)).toEqual([]);
    await place.superuser.run(script('ANALYZE'));
    await place.database.run(FILL);
    expect(await wholeReads(place, asked)).toEqual([]);
    await place.superuser.run(script('ANALYZE'));
    expect(await wholeReads(place, asked)).toEqual([]);
  });

  test('a statement that reads a whole table is found', async () => {
    await using place = await postgresPlace();
    await place.database.run(FILL);
    const statement = reads('whole', "SELECT id FROM loss_items WHERE item = 'x'");
    expect(await wholeReads(place, [{ statement, values: [] }])).toEqual(['whole: loss_items']);
  });
});
