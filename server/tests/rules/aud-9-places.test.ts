import { expect, test, vi } from 'vitest';
import type { MeasuredSpace } from '../../storage/profile-storage.ts';
import {
  ArrayInbox,
  caught,
  EVERYBODY,
  measure,
  measured,
  membersOf,
  memoryProfilesPlace,
  space,
  valuesOf,
} from '../conformance/profile-place.ts';
import { type AudienceWorld, SOURCE } from '../support/audience-world.ts';
import { openMemoryProfiles, openProfilesInMemory } from '../support/memory-profiles.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
const ONE = `${SOURCE}/destinations/webhooks`;
const TWO = `${SOURCE}/destinations/two`;
/** As many as two pages of a sync have; the first ends with `u299`. */
const MANY = 350;

async function doNothing(): Promise<void> {}

interface Of {
  readonly destination: string;
}

interface HalfTold {
  readonly world: AudienceWorld;
  readonly audience: string;
  /** Destinations that have room for so many pages more. */
  readonly room: Map<string, number>;
  /** What syncs have stored of how far they have come. */
  readonly places: (string | undefined)[];
  /** Done once before the next page of the second destination is read. */
  readonly meanwhile: (does: () => Promise<void>) => void;
}

/** A first sync has told one page to each of its two destinations. */
async function startHalfTold(): Promise<HalfTold> {
  const room = new Map([
    [ONE, 1],
    [TWO, 1],
  ]);
  const places: (string | undefined)[] = [];
  let does = doNothing;
  const world = await startedWorld({
    spoil: ({ tellings, ...stores }) => {
      const tell: typeof tellings.tell = (request) => {
        const left = room.get(request.destination) ?? 0;
        places.push(request.cursor.after);
        room.set(request.destination, left - 1);
        return tellings.tell(request);
      };
      const told: typeof tellings.told = async (query) => {
        const now = query.destination === TWO ? does : doNothing;
        if (now === does) does = doNothing;
        await now();
        return tellings.told(query);
      };
      const own = {
        tell,
        told,
        waiting: async ({ destination }: Of) => ((room.get(destination) ?? 0) > 0 ? 0 : 1_000),
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), own) };
    },
  });
  await world.addDestination('two', 'https://two.test/');
  const definition = { events: { where: "event = 'Bought'" } };
  // From here on events are counted.
  await world.audience('keeper', definition, []);
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${100 + user}` });
  const audience = await world.audience('buyers', definition, [ONE, TWO]);
  await world.advance(MINUTE);
  expect((await world.syncs(audience))[0]).toMatchObject({ cursor: { destinations: [ONE, TWO], after: 'u299' } });
  places.length = 0;
  return { world, audience, room, places, meanwhile: (next) => (does = next) };
}

async function erase(world: AudienceWorld): Promise<void> {
  await world.regulate('Delete_Internal', 'u299');
  await world.clock.sleep(5_000);
}

test.each([
  ['the second destination is told on', TWO],
  ['the second destination becomes the first', ONE],
])('AUD-9: a deleted user is not where a sync stands again, once %s', async (_when, destination) => {
  const { world, audience, room, places } = await startHalfTold();
  const erased = erase(world);
  await world.advance(MINUTE);
  await erased;
  expect((await world.syncs(audience))[0]?.cursor.after).toBeUndefined();
  room.set(destination, 2);
  await world.advance(MINUTE);
  expect(places.length).toBeGreaterThan(0);
  expect(places).not.toContain('u299');
  expect((await world.syncs(audience))[0]?.cursor.destinations).toHaveLength(1);
});

test('AUD-9: a user who is deleted in the very moment of a page is not where its sync stands', async () => {
  const { world, audience, room, places, meanwhile } = await startHalfTold();
  meanwhile(() => erase(world));
  room.set(TWO, 2);
  await world.advance(MINUTE);
  expect(places.length).toBeGreaterThan(0);
  expect(places).not.toContain('u299');
  expect((await world.syncs(audience))[0]).toMatchObject({ cursor: { destinations: [ONE] } });
  room.set(ONE, 9);
  await world.advance(MINUTE);
  expect((await world.syncs(audience))[0]).toMatchObject({ state: 'DONE' });
  expect([world.heard().length, world.heard('https://two.test/').length]).toEqual([MANY, MANY]);
});

const OWN = measure('amounts', "event = 'Bought'");
const spaces = async (): Promise<readonly MeasuredSpace[]> => [space(OWN)];

test('AUD-9, SAFE-2: of many users, profiles in a file are removed a few at a time, each as a whole', async () => {
  const place = await memoryProfilesPlace();
  const users = Array.from({ length: 60 }, (_, index) => `u${index}`);
  await place.catches(users.map((userId) => caught(-3, { event: 'Bought', userId })));
  let [now, calls, isMore] = [0, 0, true];
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  while (isMore) {
    const erased = { workspace: 'workspaces/main', userIds: users.slice(1), spaces: async () => [space(OWN)] };
    ({ isMore } = await place.profiles.erase(erased));
    calls += 1;
    expect(Object.keys(await valuesOf(place, measured(OWN, 'count')))).toEqual(await membersOf(place, EVERYBODY));
  }
  vi.restoreAllMocks();
  expect(calls).toBeGreaterThan(3);
  expect(await membersOf(place, EVERYBODY)).toEqual(['u0']);
  await place.end();
});

test('SAFE-2: a deletion from a file tells how long others waited for it, without what it waited for them', async () => {
  let now = 0;
  const place = await memoryProfilesPlace((_, inbox) => {
    vi.spyOn(inbox, 'lastCaught').mockImplementation(() => Promise.resolve((now += 5_000)));
    return {};
  });
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  const { tookMs } = await place.profiles.erase({
    workspace: 'workspaces/main',
    userIds: ['u'],
    spaces: async () => [],
  });
  vi.restoreAllMocks();
  expect(now).toBeGreaterThan(5_000);
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(100);
  await place.end();
});

test('SAFE-2: with a data folder, who waits for profiles has its turn however many deletions another workspace waits for', async () => {
  const place = await memoryProfilesPlace();
  const ended: string[] = [];
  const remove = async (workspace: string): Promise<void> => {
    await place.profiles.erase({ workspace, userIds: ['ada'], spaces: async () => [] });
    ended.push(workspace);
  };
  await Promise.all(['w', 'w', 'w', 'w', 'w', 'v'].map((workspace) => remove(`workspaces/${workspace}`)));
  expect(ended.indexOf('workspaces/v')).toBeLessThan(4);
  await place.end();
});

test('SAFE-2: few profiles in a file are removed in one go, however little those before them had', async () => {
  const [inbox, engine] = [new ArrayInbox(), openProfilesInMemory()];
  const profiles = await openMemoryProfiles(inbox, engine);
  const userIds = Array.from({ length: 100 }, (_, index) => `u${index}`);
  inbox.catch(userIds.map((userId) => caught(-3, { event: 'Bought', userId })));
  await profiles.fold({ spaces, limit: 1_000 });
  const users = engine.database.prepare('SELECT count(*) AS left FROM users');
  // What is left when it is asked whether it is enough.
  const left: number[] = [];
  vi.spyOn(performance, 'now').mockImplementation(() => (left.push(Number(users.get()?.['left'])), 0));
  await profiles.erase({ workspace: 'workspaces/main', userIds, spaces });
  vi.restoreAllMocks();
  const removed = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
  expect(removed.filter((count) => count > 0)).toEqual([1, 2, 4, ...Array.from({ length: 11 }, () => 8), 5]);
  expect(users.get()).toEqual({ left: 0 });
  profiles.close();
});
