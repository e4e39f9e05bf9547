import { expect, test } from 'vitest';
import { firstSyncRun } from '../../../scripts/crash/first-sync.ts';
import { planSyncKills } from '../../../scripts/crash/kills.ts';
import { SYNC_STEPS } from '../../../scripts/crash/crash-points.ts';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { newFolder } from '../support/delivery-world.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { startPostgres } from '../support/postgres-server.ts';

const MEMBERS = 1_700;

/** Everybody was told, once; the sync says so, and the next has nothing to tell. */
const WHOLE = {
  missing: 0,
  toldTwice: 0,
  wrong: 0,
  next: 0,
  sync: { size: MEMBERS, sent: MEMBERS, delivered: MEMBERS },
};

test('AUD-4, AUD-8, check 21: a router that is killed at each commit of a first sync tells of each member under one message id', async () => {
  const kills = planSyncKills(15, MEMBERS, seededRandom(21));
  const report = await firstSyncRun({ storage: `file:${newFolder()}`, members: MEMBERS, kills });
  // A job that can never succeed says so, and no other test hears it.
  expect(report).toMatchObject({ ...WHOLE, failedJobs: 0 });
  const died = Object.keys(report.died).map((point) => point.split(':')[0]);
  expect(new Set(died)).toEqual(new Set(SYNC_STEPS));
});

describeWithPostgres('on PostgreSQL', () => {
  test(
    'AUD-4, AUD-8, check 21: nor does a failover of the database change whom a killed router tells',
    { tags: ['long'] },
    async () => {
      const server = await startPostgres();
      try {
        const failOver = async (): Promise<void> => {
          await server.end('immediate');
          await server.start();
        };
        // Each costs the rest of a lease.
        const kills = ['failover', { crash: { point: 'tell:after', pass: 1 } }] as const;
        const report = await firstSyncRun({ storage: server.url(), members: MEMBERS, kills, failOver });
        expect(report).toMatchObject(WHOLE);
      } finally {
        await server.stop();
      }
    },
  );
});
