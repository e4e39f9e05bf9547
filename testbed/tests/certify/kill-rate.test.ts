/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import { beforeAll, expect, test } from 'vitest';
import { scenariosFor } from '../../certify/scenarios/all.ts';
import { SCHEMES } from '../../schemes/index.ts';
import { CAUGHT_BY } from '../support/caught-by.ts';
import { type Certified, certifyFlawed } from '../support/certified.ts';
import { FLAWED_RECEIVERS } from '../support/flawed-receivers.ts';

let certified: readonly Certified[] = [];
beforeAll(async () => {
  certified = await certifyFlawed();
});

function isCaught({ name, failed }: Certified): boolean {
  return failed.includes(CAUGHT_BY[name] ?? '');
}

test('at least 95 % of at least twenty-five flawed receivers are caught by what is there for them', () => {
  const caught = certified.filter(isCaught);
  const rate = (100 * caught.length) / certified.length;
  const missed = certified
    .filter((one) => !isCaught(one))
    .map(({ name, failed }) => `${name}: only ${failed.join(', ')}`);
  console.log(`certificate: ${caught.length} of ${certified.length} flawed receivers caught (${rate.toFixed(1)} %)`);
  expect(certified.length).toBeGreaterThanOrEqual(25);
  expect(rate, missed.join('\n')).toBeGreaterThanOrEqual(95);
});

test('a receiver that fails something else alone counts as missed', () => {
  expect(isCaught({ name: 'never checks signatures', results: [], failed: ['kind-track'] })).toBe(false);
});

test('every scenario has a flawed receiver that fails it', () => {
  const failed = new Set(certified.flatMap((one) => one.failed));
  const ids = scenariosFor({ scheme: SCHEMES.waybill, isGiven: false }).map(({ scenario }) => scenario.id);
  expect(ids.filter((id) => !failed.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('for every flawed receiver it is known what has to catch it', () => {
  expect(Object.keys(CAUGHT_BY).toSorted()).toEqual(Object.keys(FLAWED_RECEIVERS).toSorted());
});

test('the words of a failure are a sentence that says what to do, and hold no secret', () => {
  const failures = certified.flatMap(({ results }) => results.filter(({ verdict }) => verdict === 'failed'));
  expect(failures.length).toBeGreaterThan(100);
  const mute = failures.filter(({ words }) => !/answer|handle|tells the signature/.test(words));
  expect(mute.map(({ id, words }) => `${id}: ${words}`)).toEqual([]);
  expect(JSON.stringify(failures)).not.toContain('s3cret');
});
