import { describe, expect, test } from 'vitest';
import { findPostgres } from '../../server/tests/support/postgres-server.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { type RateReport, rateRun } from './rate-run.ts';

const RUN = { timeout: 400_000 };

/** Per second, within any ten: a tenth above, one more at each edge, and what came at once because the receiver stood still. */
function boundOf({ maxPerSecond, stoodStillMs }: RateReport): number {
  return maxPerSecond * (1.1 + stoodStillMs / 10_000) + 0.2;
}

describe.skipIf(findPostgres() === undefined)('routers that share a limit', () => {
  test(
    'HOOK-24: the requests of all routers on PostgreSQL keep one rate, and all events arrive, while the one that sends is killed, leaves and comes back',
    RUN,
    async () => {
      const report = await rateRun({ changes: 2, random: seededRandom(20261123) });
      expect(report.lost).toEqual([]);
      expect(report.senders).toBeGreaterThan(1);
      expect(report.accepted).toBeGreaterThan(100);
      expect(report.mostInTen).toBeLessThanOrEqual(boundOf(report));
    },
  );

  test('HOOK-24: routers that each keep a pace of their own are found', { ...RUN, tags: ['long'] }, async () => {
    const report = await rateRun({
      changes: 1,
      random: seededRandom(1),
      defect: 'solitary',
      maxPerSecond: 10,
      surplus: 4,
    });
    expect(report.mostInTen).toBeGreaterThan(boundOf(report));
  });
});
