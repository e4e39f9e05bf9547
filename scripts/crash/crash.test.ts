import { expect, test } from 'vitest';
import { seededRandom } from '../../testbed/simulation/seeded-random.ts';
import { CRASH_POINTS, createFuse, parseCrash, printCrash, SYNC_POINTS } from './crash-points.ts';
import { crashRun } from './crash-run.ts';
import { faultsOf } from './findings.ts';
import { planKills } from './kills.ts';

/** One at each point, and as many by chance; `npm run test:crash` takes 200. */
const KILLS = 2 * CRASH_POINTS.length;

test('ING-10, D-32: kills at each point lose nothing, and repeat only what was in flight', async () => {
  const report = await crashRun({ kills: planKills(KILLS, seededRandom(20261121)) });
  expect(faultsOf(report)).toEqual([]);
  expect(report).toMatchObject({ kills: KILLS, lost: 0, unstored: 0, beyondBound: 0, stuck: 0, damaged: 0, broken: 0 });
  expect(report.acknowledged).toBeGreaterThan(KILLS);
  expect(report.repeated).toBeLessThanOrEqual(report.inFlight + report.stalled);
  // At every point by name a router has died of itself, and the others were killed by chance.
  for (const point of CRASH_POINTS) expect(report.died[point], point).toBeGreaterThanOrEqual(1);
  expect(report.died.random).toBe(KILLS / 2);
});

const AT_ACCEPT = { crash: { point: 'accept:before-commit', pass: 3 } } as const;
test('ING-10: a router that answers before it stores is found', async () => {
  const report = await crashRun({ kills: [AT_ACCEPT, AT_ACCEPT], defect: 'hasty', stillLooks: 60 });
  expect(report.unstored).toBeGreaterThan(0);
  expect(report.lost).toBeGreaterThan(0);
  expect(report.unsent).toBe(report.lost);
});

test('D-32: a router that repeats what was not in flight is found', { tags: ['long'] }, async () => {
  const kills = [{ crash: { point: 'record:after-commit', pass: 3 } }] as const;
  const report = await crashRun({ kills, defect: 'stuttering' });
  expect(report.beyondBound).toBeGreaterThan(0);
  expect(report).toMatchObject({ lost: 0, unstored: 0 });
});

test('HOOK-12: a router whose bodies break the contract is found', { tags: ['broken-bodies', 'long'] }, async () => {
  const report = await crashRun({ kills: [AT_ACCEPT], defect: 'mumbling', stillLooks: 20 });
  expect(report.broken).toBeGreaterThan(0);
});

test('a router that forgets what it was trying is found', { tags: ['long'] }, async () => {
  const kills = [{ crash: { point: 'send:before-request', pass: 5 } }] as const;
  const report = await crashRun({ kills, defect: 'forgetful', stillLooks: 60 });
  expect(report.stuck).toBeGreaterThan(0);
  expect(report.unstored).toBe(0);
});

test('a plan of two kills for each point comes by every point', () => {
  const points = planKills(KILLS, seededRandom(1)).flatMap((kill) => ('crash' in kill ? [kill.crash.point] : []));
  expect(new Set(points)).toEqual(new Set(CRASH_POINTS));
});

test('a crash is read as it is written', () => {
  for (const point of [...CRASH_POINTS, ...SYNC_POINTS])
    expect(parseCrash(printCrash({ point, pass: 7 }))).toEqual({ point, pass: 7 });
  expect(() => parseCrash('accept@x')).toThrow('"accept@x" is no crash: name one of accept:before-commit');
});

test('without a crash every point is passed', () => {
  const pass = createFuse(undefined);
  for (const point of CRASH_POINTS) pass(point);
  expect(process.exitCode).toBeUndefined();
});
