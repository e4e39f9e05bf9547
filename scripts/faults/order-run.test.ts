import { describe, expect, test } from 'vitest';
import { findPostgres } from '../../server/tests/support/postgres-server.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { orderRun } from './order-run.ts';

const RUN = { timeout: 400_000 };

describe.skipIf(findPostgres() === undefined)('three routers that keep an order', () => {
  test(
    'HOOK-25: the events of each user arrive in order, and all, while routers on PostgreSQL are killed',
    RUN,
    async () => {
      const { accepted, lost, outOfOrder } = await orderRun({ kills: 2, random: seededRandom(20261123) });
      expect({ lost, outOfOrder }).toEqual({ lost: [], outOfOrder: [] });
      expect(accepted).toBeGreaterThan(100);
    },
  );

  test('HOOK-25: routers that keep no order are found', { ...RUN, tags: ['long'] }, async () => {
    const { outOfOrder } = await orderRun({ kills: 1, random: seededRandom(1), routers: 2, ordering: 'none' });
    expect(outOfOrder.length).toBeGreaterThan(0);
  });
});
