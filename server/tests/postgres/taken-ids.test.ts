import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { NotAMember, OutcomeUnknown } from '../../storage/errors.ts';
import { AnotherServer } from '../../storage/postgres/connection/failures.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { A, accepted, firstOf, NOW, recordOf } from '../conformance/delivery-store-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { losingAnswers, postgresNodes, type Spoil, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** What a failover to a standby that was behind leaves, or a database that was restored: numbers are given once more. */
const GOES_BACK = script('ALTER SEQUENCE ids RESTART');

const DELIVERED = { state: 'delivered' } as const;
/** Of the first that is tried. */
const TAKEN_IN_LOG = `
INSERT INTO log (id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id)
SELECT id, message, destination, 'failed', 1, 0, 0, 0, 0, '', '', '' FROM tries ORDER BY id LIMIT 1`;

describeWithPostgres('numbers that were given twice', () => {
  const kept = keptPlaces(stillPlace);

  test('NODE-1: what would be stored under the number of something else is refused, and is stored when it comes again', async () => {
    await using nodes = await postgresNodes(NOW, kept());
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
    await using nodes = await postgresNodes(NOW, kept());
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

  test('NODE-1: at a server that has taken over, a router takes new numbers, in a new life that holds nothing of before', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { spoil, promote } = promotable();
    const { verbs } = await nodes.open('one', { spoil });
    const { epoch } = await verbs.join({ now: NOW });
    const [before] = await verbs.accept(batchOf([accepted('m1', true)]));
    promote();
    await expect(verbs.accept(batchOf([accepted('m2', true)]))).rejects.toThrow(NotAMember);
    await expect(verbs.claim({ destination: A, which: 'due', now: NOW, limit: 1 })).rejects.toThrow(NotAMember);
    expect(await verbs.beat()).toBeUndefined();
    // What it has sent is told, and not sent again.
    expect(await verbs.record([recordOf(firstOf(before), DELIVERED)])).toMatchObject({ refused: [] });
    expect((await verbs.join({ now: NOW })).epoch).toBeGreaterThan(epoch);
    const [after] = await verbs.accept(batchOf([accepted('m2', true)]));
    expect(Number(firstOf(after).delivery) - Number(firstOf(before).delivery)).toBeGreaterThan(2 ** 15);
    expect(await verbs.beat()).toBeDefined();
  });

  test('NODE-1: what ends under the number of something that has ended holds up nothing else', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs } = await nodes.open('one');
    await verbs.join({ now: NOW });
    const claims = (await verbs.accept(batchOf([accepted('m1', true), accepted('m2', true)]))).map(firstOf);
    await nodes.superuser.run(script(TAKEN_IN_LOG));
    expect(await verbs.record(claims.map((claim) => recordOf(claim, DELIVERED)))).toMatchObject({ refused: [] });
    expect([await nodes.count('tries'), await nodes.count('log')]).toEqual([0, 2]);
  });

  test('NODE-3: no router has the life of another, also where a server took over that lacks how it began', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    await one.verbs.join({ now: NOW });
    await nodes.superuser.run(script('DELETE FROM nodes'));
    await nodes.advance(1_000);
    await two.verbs.join({ now: nodes.now() });
    expect(await one.verbs.beat()).toBeUndefined();
    expect(await two.verbs.beat()).toMatchObject({ members: [{ node: 'two' }] });
  });

  test('NODE-6: an accept whose answer was lost is stored once by the server that has taken over, which may lack it', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    for (const [id, undo] of [
      ['m1', 'SELECT'],
      ['m2', 'DELETE FROM commits; DELETE FROM messages; DELETE FROM queue; DELETE FROM seen'],
    ] as const) {
      const { spoil, promote } = promotable();
      const losing = losingAnswers('accept');
      const { verbs } = await nodes.open(id, { spoil: (database) => losing(spoil(database)) });
      const batch = batchOf([accepted(id, false)]);
      await expect(verbs.accept(batch)).rejects.toThrow(OutcomeUnknown);
      const numbered = await nodes.count('queue');
      await nodes.superuser.run(script(undo));
      promote();
      // Of those that are stored anew, the answer is lost as well.
      const again = (): Promise<unknown> => verbs.accept(batch);
      expect(await again().catch(again), id).toEqual([[]]);
      expect(await nodes.count('queue'), id).toBe(undo === 'SELECT' ? numbered : 1);
      expect(await nodes.count(`queue WHERE id % (1::bigint << 38) >= 2 * 65536`), id).toBe(undo === 'SELECT' ? 0 : 1);
    }
  });
});

/** As after a failover, once `promote` was called. */
function promotable(): { readonly spoil: Spoil; readonly promote: () => void } {
  let [timeline, isNew] = [1, false];
  const spoil: Spoil = (database) => ({
    ...database,
    timeline: () => timeline,
    run(statement, values) {
      if (!isNew || statement.name !== 'record') return database.run(statement, values);
      isNew = false;
      return Promise.reject(new AnotherServer('it was asked before'));
    },
  });
  return { spoil, promote: () => ([timeline, isNew] = [timeline + 1, true]) };
}
