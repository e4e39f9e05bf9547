import { expect, onTestFinished, test } from 'vitest';
import { audienceRuns, type RunPorts } from '../../jobs/audience-runs.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { newCounts } from '../support/evaluation.ts';
import { openMemoryProfiles } from '../support/memory-profiles.ts';
import { audience } from '../support/config-resources.ts';
import { HOUR, MINUTE } from '../support/notice-world.ts';
import { startedNoticeWorld } from '../support/started-notice-world.ts';

test('HOOK-26: an audience whose runs fail is told once, and again after it has worked for a while', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const { clock, store } = world;
  const made = audience('main', 'aud_big');
  await store.resources.create('audiences', made);
  const run = async (state: 'DONE' | 'FAILED'): Promise<void> => {
    const { number } = await store.startSync({ computation: made.name, now: clock.now() });
    await clock.advance(MINUTE);
    const reason = state === 'FAILED' ? 'the database did not answer' : undefined;
    await store.endSync({ computation: made.name, number, state, reason, now: clock.now() });
    await clock.advance(10 * MINUTE);
  };
  for (let runs = 0; runs < 10; runs += 1) await run('FAILED');
  expect(world.heard).toMatchObject([
    { event: 'audience.failed', properties: { audience: made.name, reason: 'the database did not answer' } },
  ]);
  await run('DONE');
  await run('FAILED');
  expect(world.names).toEqual(['audience.failed', 'audience.failed']);
  for (let runs = 0; runs < 40; runs += 1) await run(runs % 2 === 0 ? 'DONE' : 'FAILED');
  expect(world.names.length).toBeLessThan(6);
});

test('HOOK-26: a failed run of an audience is told with its reason although the next one goes on', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const { clock, store } = world;
  const made = audience('main', 'aud_big');
  const computation = made.name;
  await store.resources.create('audiences', made);
  const { number } = await store.startSync({ computation, now: clock.now() });
  const reason = 'the database did not answer';
  await store.endSync({ computation, number, state: 'FAILED', reason, now: clock.now() });
  // As after an edit: a first sync takes hours.
  await store.startSync({ computation, now: clock.now() });
  await clock.advance(MINUTE);
  expect(world.heard).toMatchObject([{ event: 'audience.failed', properties: { audience: computation, reason } }]);
});

test('HOOK-26: a run of an audience that the storage fails until it is ended is told', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const { clock, store, log } = world;
  const [router] = world.routers;
  if (router === undefined) throw new Error('a world that was started has a router');
  const own = await openMemoryProfiles(store);
  let isFull = true;
  const profiles: RunPorts['profiles'] = {
    fold: (request) => own.fold(request),
    lastCaught: () => own.lastCaught(),
    compute: (request) => (isFull ? Promise.reject(new Error('the disk is full')) : own.compute(request)),
    results: (query) => own.results(query),
    standing: (query) => own.standing(query),
  };
  const stored = { config: store.resources, directory: router.directory, profiles, tellings: store };
  const ports = { ...stored, clock, log, ...newCounts(clock, log), intervalMs: HOUR };
  const runner = new JobRunner({ storage: store, clock, log }, [audienceRuns({ ...ports, wake: () => {} })]);
  const made = { ...audience('main', 'aud_big'), update_time: new Date(clock.now()).toISOString() };
  await store.resources.create('audiences', made);
  runner.start();
  onTestFinished(() => runner.stop());
  await clock.advance(2 * HOUR);
  const runs = () => store.listSyncs({ computations: [made.name], limit: 100 });
  const ended = (await runs()).filter(({ state }) => state === 'FAILED');
  expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(['the disk is full']));
  expect(world.heard).toMatchObject([
    { event: 'audience.failed', properties: { audience: made.name, reason: 'the disk is full' } },
  ]);
  isFull = false;
  await clock.advance(4 * HOUR);
  expect((await runs()).map(({ state }) => state)).toContain('DONE');
  expect(world.names).toEqual(['audience.failed']);
});
