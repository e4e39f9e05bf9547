import { expect, onTestFinished, test } from 'vitest';
import { measuredProfiles, measuredTellings, membersOf } from '../../operations/metrics/measured-audiences.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import { NOW, recordOf } from '../conformance/delivery-store-events.ts';
import { caught, memoryProfilesPlace, space } from '../conformance/profile-place.ts';
import { AUDIENCE, next, started, taken, telling, tellOf } from '../conformance/telling-events.ts';
import { openMemory } from '../support/memory-storage.ts';

async function start() {
  const own = openMemory();
  await own.join({ now: NOW });
  const instruments = createInstruments();
  const store = { ...own, ...measuredTellings(own, instruments) };
  return { store, metrics: () => instruments.registry.metrics() };
}

/** Of a workspace that is called as the others are. */
const TRAIT = 'workspaces/audiences/computed-traits/tra_1';
const COUNTS = { evaluated: 9, size: 4, entered: 4, left: 0 };

test('runs are counted once, by kind and state, with the time of those that were done', async () => {
  const { store, metrics } = await start();
  const audience = { computation: AUDIENCE, number: (await started(store)).number };
  const trait = { computation: TRAIT, number: (await started(store, TRAIT)).number };
  await store.endSync({ ...audience, state: 'DONE', now: NOW + 2_500 });
  await store.endSync({ ...audience, state: 'CANCELLED', now: NOW + 9_000 });
  await store.endSync({ ...trait, state: 'FAILED', reason: 'no space', now: NOW + 9_000 });
  const text = await metrics();
  expect(text).toMatch(/^waybill_audience_runs_total\{kind="audience",state="done"\} 1$/m);
  expect(text).toMatch(/^waybill_audience_runs_total\{kind="computed_trait",state="failed"\} 1$/m);
  expect(text).not.toContain('state="cancelled"');
  expect(text).toMatch(/^waybill_audience_run_seconds_sum\{kind="audience"\} 2\.5$/m);
  expect(text).not.toMatch(/no space|workspaces/);
});

test('calls are counted when they are stored, those held back when the run ends, failures when they are settled', async () => {
  const { store, metrics } = await start();
  const first = await started(store);
  await tellOf(store, first, [telling('ada'), telling('bob')]);
  await store.endSync({ computation: AUDIENCE, number: first.number, state: 'DONE', now: NOW + 1 });
  const claims = await taken(store);
  const second = await store.startSync({ computation: AUDIENCE, now: NOW + 2 });
  await tellOf(store, second, [telling('ada', 'false'), telling('eve')], { silenced: ['bob'] });
  await store.endSync({ computation: AUDIENCE, number: second.number, state: 'DONE', now: NOW + 3 });
  await store.record(claims.map((claim) => recordOf(claim, { state: 'failed' })));
  for (let times = 0; times < 2; times += 1) await store.settle({ computation: AUDIENCE, sync: 1, limit: 100 });
  const text = await metrics();
  expect(text).toMatch(/^waybill_audience_told_total\{kind="audience"\} 3$/m);
  expect(text).toMatch(/^waybill_audience_held_total\{kind="audience"\} 1$/m);
  expect(text).toMatch(/^waybill_audience_failed_total\{kind="audience",state="failed"\} 2$/m);
  expect(text).toMatch(/^waybill_audience_failed_total\{kind="audience",state="expired"\} 0$/m);
});

test('members are those of the last run that was computed, of audiences and computed traits apart', async () => {
  const { store } = await start();
  expect(await membersOf(store)).toEqual({ audience: 0, computed_trait: 0 });
  const first = await started(store);
  await store.computedSync({ computation: AUDIENCE, number: first.number, counts: COUNTS, destinations: [] });
  const trait = await started(store, TRAIT);
  await store.computedSync({
    computation: TRAIT,
    number: trait.number,
    counts: { ...COUNTS, size: 7 },
    destinations: [],
  });
  await store.endSync({ computation: AUDIENCE, number: first.number, state: 'DONE', now: NOW });
  await next(store, first);
  expect(await membersOf(store)).toEqual({ audience: 4, computed_trait: 7 });
});

test('ids that profiles refuse are counted: of no person, and beyond the limits', async () => {
  const place = await memoryProfilesPlace();
  onTestFinished(() => place.end());
  const instruments = createInstruments();
  const profiles = measuredProfiles(place.profiles, instruments);
  expect(await instruments.registry.metrics()).toMatch(/^waybill_profile_ids_refused_total 0$/m);
  const visits = Array.from({ length: 101 }, (_, index) => caught(-8, { userId: 'ada', anonymousId: `a${index}` }));
  await place.catches([caught(-9, { userId: ' NULL', anonymousId: '0' }), ...visits]);
  await profiles.fold({ spaces: async () => [space()], limit: 1_000 });
  expect(await instruments.registry.metrics()).toMatch(/^waybill_profile_ids_refused_total 4$/m);
  // An erasure folds what waits.
  await place.catches([caught(-7, { userId: 'null', anonymousId: 'a1' })]);
  await profiles.erase({ workspace: 'workspaces/main', userIds: ['ada'], spaces: async () => [space()] });
  expect(await instruments.registry.metrics()).toMatch(/^waybill_profile_ids_refused_total 5$/m);
});
