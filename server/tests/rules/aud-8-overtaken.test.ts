import { expect, test } from 'vitest';
import type { Computation } from '../../audiences/computations.ts';
import type { Target } from '../../delivery/target.ts';
import { audienceRuns } from '../../jobs/audience-runs.ts';
import { isOvertaken } from '../../jobs/due-runs.ts';
import type { Sync } from '../../model/sync.ts';
import { newLosses } from '../support/evaluation.ts';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR, type Stores } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
/** As many as two pages of a sync have. */
const MANY = 350;

const bought = (within: string): Definition => ({ events: { where: "event = 'Bought'", window: { within } } });

/** What a process knows is lost, and its next page waits. */
function stopping({ tellings, profiles }: Stores, isStopped: () => boolean): Stores {
  return {
    profiles,
    tellings: Object.assign(Object.create(tellings), {
      tell: async (request: Parameters<typeof tellings.tell>[0]) => {
        if (request.cursor.after === undefined || !isStopped()) return tellings.tell(request);
        throw new Error('the process is gone');
      },
    }),
  };
}

interface HalfTold {
  readonly world: AudienceWorld;
  readonly audience: string;
  readonly goOn: () => void;
}

/** A first sync stands before its first page. */
async function startHalfTold(within: string): Promise<HalfTold> {
  let isStopped = true;
  const world = await startedWorld({ spoil: (stores) => stopping(stores, () => isStopped) });
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${1_000 + user}` });
  const audience = await world.audience('buyers', bought(within));
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${1_000 + user}` });
  await world.advance(20_000);
  expect([world.heard().length, (await world.syncs(audience)).length]).toEqual([0, 1]);
  return { world, audience, goOn: () => (isStopped = false) };
}

test('AUD-8, check 22: a sync that goes on after nine hours tells nobody what held nine hours ago', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  goOn();
  await world.restartJobs(9 * HOUR);
  await world.advance(MINUTE);
  expect(world.heard()).toEqual([]);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});

test('AUD-8: a sync that goes on soon tells the rest itself', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  goOn();
  await world.restartJobs(MINUTE);
  await world.advance(MINUTE);
  expect(world.heard()).toHaveLength(MANY);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE']);
});

test('AUD-8: a definition that is edited in the middle of a sync is told at once, and the old one no more', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  await world.edit(audience, { definition: { not: bought('4h') } });
  goOn();
  await world.advance(MINUTE);
  expect(world.heard()).toEqual([]);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});

test('AUD-8: what takes longer to compute than an interval is told all the same', async () => {
  let isSlow = true;
  const world = await startedWorld({
    spoil: ({ profiles, ...stores }) => ({
      ...stores,
      profiles: {
        ...profiles,
        compute: async (request) => {
          const waitMs = isSlow ? 3.1 * HOUR : 0;
          isSlow = false;
          await world.clock.sleep(waitMs);
          return profiles.compute(request);
        },
      },
    }),
  });
  const audience = await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  await world.send();
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u1 buyers true']);
  expect((await world.syncs(audience)).at(-1)?.state).toBe('DONE');
});

function targetMade(createTime: string | undefined): Target | undefined {
  return createTime === undefined ? undefined : { webhooks: [], sharedSecret: '', createTime };
}

test('AUD-8: a sync is not overtaken while it tells somebody, however late, but is where nobody is told for an interval', () => {
  const [intervalMs, none] = [2 * HOUR, { sent: 0, held: 0, delivered: 0, failed: 0, expired: 0, superseded: 0 }];
  const counts = { evaluated: 1, size: 1, entered: 1, left: 0 };
  const updateTime = '2026-01-01T00:00:00.000Z';
  const one = { name: 'workspaces/main/audiences/aud_1', updateTime, digest: 'now', destinations: ['d', 'e'] };
  const basis = { updateTime, digest: 'now', made: { d: 'then', e: 'then' }, undecided: undefined };
  const cursor = { destinations: ['d'] };
  const hearing = new Map([['d', 'then']]);
  const directory = { target: (name: string) => targetMade(hearing.get(name)) };
  const sync: Sync = {
    ...none,
    computation: one.name,
    number: 1,
    state: 'RUNNING',
    startedAt: 0,
    computed: counts,
    basis,
    cursor,
  };
  const at = (now: number, toldAt: number, of: Sync = sync): boolean =>
    isOvertaken(one, of, toldAt, { clock: { now: () => now }, intervalMs, directory });
  expect([at(HOUR, 0), at(9 * HOUR, 8 * HOUR), at(9 * HOUR, 0)]).toEqual([false, false, true]);
  // Only who is held back is left: the next sync tells them as well.
  expect(at(9 * HOUR, 8 * HOUR, { ...sync, cursor: { destinations: [] } })).toBe(true);
  const before = { ...basis, updateTime: '2025-12-31T00:00:00.000Z' };
  expect(at(HOUR, 0, { ...sync, basis: { ...before, digest: 'then' } })).toBe(true);
  expect(at(HOUR, 0, { ...sync, basis: before })).toBe(false);
  // What could not hear then and now changes nothing; what is enabled again does, and what was made anew.
  const passing = { ...sync, basis: before, cursor: { destinations: [], passedOver: ['e'] } };
  expect(at(HOUR, 0, passing)).toBe(false);
  hearing.set('e', 'then');
  expect(at(HOUR, 0, passing)).toBe(true);
  hearing.set('e', 'now');
  expect(at(HOUR, 0, { ...sync, basis: before })).toBe(true);
  expect(at(HOUR, 0)).toBe(false);
  // Of an earlier version it is not known what it was computed of.
  expect(at(HOUR, 0, { ...sync, basis: { ...before, digest: undefined } })).toBe(true);
});

function asBefore(one: Computation | undefined, isStale: boolean): Computation | undefined {
  return one && isStale ? { ...one, updateTime: '2026-01-01T00:00:00.000Z', digest: 'of the definition before' } : one;
}

test('AUD-8: a router that does not know of an edit yet goes on with the sync that another computed by it', async () => {
  const { world, audience } = await startHalfTold('4h');
  await world.edit(audience, { definition: bought('5h') });
  await world.restartJobs();
  await world.advance(MINUTE);
  const before = await world.syncs(audience);
  let isStale = true;
  const stale: typeof world.directory.computations = (name) => {
    const own = world.directory.computations(name);
    return { ...own, get: (key) => asBefore(own.get(key), isStale) };
  };
  const directory = Object.assign(Object.create(world.directory), {
    computations: stale,
    refresh: async () => void (isStale = false),
  });
  const { store, profiles, clock, log, undecided } = world;
  const losses = newLosses(clock, log, { undecided });
  const stores = { tellings: store, profiles, config: store.resources };
  const ports = { ...stores, losses, undecided, directory, clock, log, wake: () => {}, intervalMs: 2 * HOUR };
  const [run] = await audienceRuns(ports).find();
  await run?.step();
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(before.map(({ state }) => state));
  expect(before[0]?.state).toBe('RUNNING');
});

test('AUD-8: a router that goes on with a sync looks once for the configuration of now behind a rename, not before each page', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  await world.edit(audience, { display_name: 'Customers' });
  goOn();
  let refreshed = 0;
  const directory = Object.assign(Object.create(world.directory), { refresh: async () => void (refreshed += 1) });
  const { store, profiles, clock, log, undecided } = world;
  const losses = newLosses(clock, log, { undecided });
  const stores = { tellings: store, profiles, config: store.resources };
  const ports = { ...stores, losses, undecided, directory, clock, log, wake: () => {}, intervalMs: 2 * HOUR };
  const [run] = await audienceRuns(ports).find();
  for (let page = 0; page < 3; page += 1) await run?.step();
  expect((await world.syncs(audience)).map(({ sent }) => sent)).toEqual([MANY]);
  expect(refreshed).toBe(1);
});
