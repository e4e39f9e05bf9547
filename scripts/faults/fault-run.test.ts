import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { findPostgres } from '../../server/tests/support/postgres-server.ts';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { ROOT } from '../generate/root.ts';
import { notOnceMore } from './chores.ts';
import { faultRun } from './fault-run.ts';
import { sentAfterLease } from './leases.ts';
import { rollingUpdate } from './rolling-update.ts';
import { verdictOf } from './verdict.ts';
import { isPossible } from '../../server/tests/support/possible.ts';

const RUN = { timeout: 400_000 };
/** Time for more than one run. */
const TWIN = { timeout: 800_000, tags: ['long'] };

/** Its tables are of an earlier format; absent where only the last commits were fetched. */
const EARLIER = '9e7735b';

function isKnown(commit: string): boolean {
  const isHere = spawnSync('git', ['-C', ROOT, 'cat-file', '-e', `${commit}^{commit}`]).status === 0;
  return isPossible(isHere, `the commit ${commit}: fetch the whole history (git fetch --unshallow)`);
}

/** A defect shows where a fault meets the right moment: on a busy machine one run may miss it, and a later one finds it. */
async function foundWith(seeds: readonly number[], countOf: (seed: number) => Promise<number>): Promise<number> {
  for (const seed of seeds) {
    const count = await countOf(seed);
    if (count > 0) return count;
  }
  return 0;
}

// Where no server can be had, the set-up of the tests has said so.
describe.skipIf(findPostgres() === undefined)('three routers on PostgreSQL', () => {
  test(
    'NODE-1, NODE-2, NODE-3: a router killed, a machine asleep, answers and the primary lost: no event is, and nothing else comes twice',
    RUN,
    async () => {
      const faults = ['router killed', 'machine asleep', 'answers lost', 'primary lost'] as const;
      const report = await faultRun({ faults, random: seededRandom(20261122) });
      expect(report).toMatchObject({ lost: [], unexplained: [], afterLease: [], unended: 0, deaths: [] });
      expect(report.acknowledged).toBeGreaterThan(100);
      expect(report.jobs).toEqual({ asked: expect.any(Number), unended: [], left: 0, missed: [] });
    },
  );

  test.skipIf(!isKnown(EARLIER))(
    'NODE-1, NODE-7: routers are replaced one by one by later ones under load: nothing is lost, nothing comes twice',
    RUN,
    async () => {
      const report = await rollingUpdate({ from: EARLIER, random: seededRandom(3) });
      expect(report).toMatchObject({ lost: [], repeated: 0, unended: 0, exitCodes: [0, 0, 0] });
      expect(report.acknowledged).toBeGreaterThan(100);
      expect(report.formats[0]).toBe(4);
      expect(report.formats[1]).toBeGreaterThan(4);
      expect(report.jobs).toEqual({ asked: expect.any(Number), unended: [], left: 0, missed: [] });
    },
  );
});

describe.skipIf(findPostgres() === undefined)('routers on PostgreSQL with a defect', () => {
  test('NODE-1: routers that answer before they store are found', TWIN, async () => {
    const faults = ['router killed'] as const;
    const lost = await foundWith([1, 4, 6], async (seed) => {
      const run = { faults, random: seededRandom(seed), routers: 1, defect: 'hasty', drainMs: 5_000 } as const;
      return (await faultRun(run)).lost.length;
    });
    expect(lost).toBeGreaterThan(0);
  });

  test(
    'NODE-3: routers that go on after their lease are found, and that they take no event any more',
    TWIN,
    async () => {
      const run = {
        faults: ['router paused'],
        routers: 2,
        defect: 'undying',
        drainMs: 1_000,
        hearsWithinMs: 2_000,
      } as const;
      const deaths: string[] = [];
      const afterLease = await foundWith([2, 5, 7], async (seed) => {
        const found = await faultRun({ ...run, random: seededRandom(seed) });
        deaths.push(...found.deaths);
        return found.afterLease.length;
      });
      expect(afterLease).toBeGreaterThan(0);
      expect(deaths).toContainEqual(expect.stringMatching(/^after “router paused”, .* takes no event: .*no member/s));
    },
  );
});

test('what a replay does not send, or sends twice, is found', () => {
  const before = new Map([
    ['once', 1],
    ['not', 1],
    ['twice', 2],
  ]);
  const after = new Map([
    ['once', 2],
    ['not', 1],
    ['twice', 4],
  ]);
  expect(notOnceMore(before, (id) => after.get(id) ?? 0)).toEqual(['not', 'twice']);
});

const LEASES = [
  { router: '7', at: 1_000, until: 11_000 },
  { router: '8', at: 1_000, until: 11_000 },
  { router: '7', at: 12_000, until: null },
  { router: '7', at: 30_000, until: 40_000 },
];

test.each([
  ['within its lease', 10_999, []],
  ['after its lease', 11_001, [11_001]],
  ['after others took over', 29_000, [29_000]],
  ['in its next life', 30_001, []],
])('NODE-3: what was sent %s', (_when, at, found) => {
  const late = sentAfterLease([{ id: 'm', router: '7', at }], LEASES);
  expect(late.map((sent) => sent.at)).toEqual(found);
});

const TROUBLE = { fault: 'a router is killed', from: 100_000, to: 110_000 };

test('NODE-1: what was acknowledged and did not come is lost', () => {
  const arrivals = new Map([['came', [1]]]);
  expect(verdictOf(['came', 'gone'], arrivals, [TROUBLE])).toMatchObject({
    acknowledged: 2,
    lost: ['gone'],
    repeated: 0,
  });
});

test.each([
  ['long before a fault', [90_000, 105_000], ['twice']],
  ['a moment before a fault', [99_000, 105_000], []],
  ['during a fault', [105_000, 111_000], []],
  ['long after a fault', [140_000, 141_000], ['twice']],
  ['during a fault, and again long after it', [105_000, 140_000, 141_000], ['twice']],
])('NODE-2: what was sent %s', (_when, times, unexplained) => {
  expect(verdictOf(['twice'], new Map([['twice', times]]), [TROUBLE])).toMatchObject({ repeated: 1, unexplained });
});
