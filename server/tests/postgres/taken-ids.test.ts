import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { accepted, NOW } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** What a failover to a standby that was behind leaves, or a database that was restored: numbers are given once more. */
const GOES_BACK = script('ALTER SEQUENCE ids RESTART');

describeWithPostgres('numbers that were given twice', () => {
  test('NODE-1: what would be stored under the number of something else is refused, and is stored when it comes again', async () => {
    await using nodes = await postgresNodes(NOW);
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    for (const id of ['a', 'b', 'c', 'd']) await one.verbs.accept(batchOf([accepted(id, false)]));
    await nodes.superuser.run(GOES_BACK);
    const batch = batchOf([accepted('m2', false)]);
    await expect(two.verbs.accept(batch)).rejects.toThrow(StoreUnavailable);
    expect(await two.verbs.accept(batch)).toEqual([[]]);
    expect(await two.verbs.accept(batchOf([accepted('m2', false)]))).toEqual(['duplicate']);
    expect(await nodes.count('queue')).toBe(5);
  });

  test('NODE-1: of several that came together, none is said to be stored', async () => {
    await using nodes = await postgresNodes(NOW);
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    await one.verbs.accept(batchOf([accepted('m1', false)]));
    await nodes.superuser.run(GOES_BACK);
    const batches = ['m2', 'm3', 'm4'].map((id) => batchOf([accepted(id, false)]));
    const send = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(batches.map((batch) => two.verbs.accept(batch)));
    const stored = (await send()).filter(({ status }) => status === 'fulfilled').length;
    expect(await nodes.count('queue')).toBe(1 + stored);
    expect((await send()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(await nodes.count('queue')).toBe(4);
  });
});
