import { expect, test } from 'vitest';
import { accepted, ended, NOW, queues, recordOf } from '../conformance/delivery-store-events.ts';
import { ATTEMPT } from '../conformance/log-facts.ts';
import { batchOf } from '../support/memory-storage.ts';
import { committingLate, postgresNodes } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const DAY_MS = 86_400_000;

describeWithPostgres('days and deliveries', () => {
  test('an accept after a pause of days makes the tables of its day', async () => {
    await using nodes = await postgresNodes(NOW);
    await (await nodes.open('one')).close();
    const { verbs } = await nodes.open('other');
    await nodes.advance(9 * DAY_MS);
    // It has heard nothing of others for days: that is another reason to refuse, which goes with what it hears.
    await expect.poll(() => verbs.accept(batchOf([accepted('m1', false)])).then(() => true, String)).toBe(true);
    expect(await queues(verbs)).toMatchObject([{ waiting: 1 }]);
  });

  test('D-12: an attempt that is reported late while its delivery is erased goes with it', async () => {
    await using nodes = await postgresNodes(NOW);
    const [reported, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = await nodes.open('one', {
      spoil: committingLate('record_late', committed.promise, () => reported.resolve()),
    });
    await one.verbs.join({ now: NOW });
    const claim = await ended(one.verbs, 'm1', 'delivered');
    const late = one.verbs.record([{ ...recordOf(claim, { state: 'delivered' }), attempts: [ATTEMPT] }]);
    await reported.promise;
    const { verbs } = await nodes.open('other');
    const erasing = verbs.eraseUsers({ scope: 'workspaces/main', userIds: ['u1'], now: NOW, limit: 10 });
    await expect.poll(() => nodes.count('pg_locks WHERE NOT granted')).toBeGreaterThan(0);
    committed.resolve();
    expect(await late).toEqual({ refused: [0], next: [] });
    expect(await erasing).toEqual({ deliveries: 1, next: undefined });
    expect([await nodes.count('log'), await nodes.count('attempts'), await nodes.count('messages')]).toEqual([0, 0, 0]);
  });
});
