import { expect, onTestFinished, test } from 'vitest';
import { ArrayInbox, caught, measure, measured, space, valuesOf } from '../conformance/profile-place.ts';
import { type AudienceWorld, type WorldOptions } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';
import { openMemoryProfiles, openProfilesInMemory } from '../support/memory-profiles.ts';

const MINUTE = 60_000;

async function nothing(): Promise<void> {}

/** While something is folded, another event comes, and each fold has room for one. */
async function startFlooded(): Promise<AudienceWorld> {
  let flood = nothing;
  const spoil: WorldOptions['spoil'] = ({ profiles, ...stores }) => ({
    ...stores,
    profiles: {
      ...profiles,
      fold: async (request) => {
        await flood();
        return profiles.fold({ ...request, limit: 1 });
      },
      erase: async (request) => {
        await flood();
        return profiles.erase(request);
      },
    },
  });
  const world = await startedWorld({ spoil });
  let sent = 0;
  // Of a new user each: of who is known nothing would be caught.
  flood = () => world.send({ userId: `new${(sent += 1)}`, event: 'Seen' });
  return world;
}

test('AUD-4: a run ends although events come faster than they are counted', async () => {
  const world = await startFlooded();
  await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  for (const userId of ['u1', 'u2', 'u3']) await world.send({ userId });
  await world.advance(MINUTE);
  expect(world.told().toSorted()).toEqual(['u1 buyers true', 'u2 buyers true', 'u3 buyers true']);
});

test('AUD-9: a deletion ends although events come faster than they are counted', async () => {
  const world = await startFlooded();
  await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  const { space: of } = world.directory.computations('workspaces/main');
  expect(await world.profiles.standing({ space: of?.id ?? '', users: ['u1'] })).toEqual(['unknown']);
});

test('AUD-6: what was folded ahead of other workspaces, and not cleared as the process ended, is not counted twice', async () => {
  const [inbox, engine] = [new ArrayInbox(), openProfilesInMemory()];
  onTestFinished(() => engine.database.close());
  const all = measure('amounts', 'all');
  inbox.catch([caught(-3, { userId: 'x' }, 'workspaces/main2/sources/js'), caught(-2, { userId: 'ada' })]);
  const uncleared = inbox.rows;
  const asked = { spaces: async () => [space(all)], limit: 9 };
  await (await openMemoryProfiles(inbox, engine)).fold({ ...asked, workspace: 'workspaces/main' });
  inbox.rows = uncleared;
  const profiles = await openMemoryProfiles(inbox, engine);
  await profiles.fold({ ...asked, workspace: 'workspaces/main' });
  await profiles.fold(asked);
  expect(await valuesOf({ profiles }, measured(all, 'count'))).toEqual({ ada: 1 });
  // What is caught next has a greater id than all of them, however old the inbox is.
  inbox.restore();
  await openMemoryProfiles(inbox, engine);
  inbox.catch([caught(-1, { userId: 'ada' })]);
  await profiles.fold(asked);
  expect(await valuesOf({ profiles }, measured(all, 'count', 'zero'))).toEqual({ ada: 2 });
});

test('AUD-9: what was folded of a user, and could not be cleared from the inbox, is gone after its deletion', async () => {
  const [inbox, engine] = [new ArrayInbox(), openProfilesInMemory()];
  onTestFinished(() => engine.database.close());
  inbox.catch([caught(-3, { userId: 'x' }, 'workspaces/main2/sources/js'), caught(-2, { userId: 'ada' })]);
  const uncleared = inbox.rows;
  const [workspace, spaces] = ['workspaces/main', async () => [space(measure('amounts', 'all'))]];
  await (await openMemoryProfiles(inbox, engine)).fold({ spaces, limit: 9, workspace });
  inbox.rows = uncleared;
  const profiles = await openMemoryProfiles(inbox, engine);
  await profiles.erase({ workspace, userIds: ['ada'], spaces });
  expect(inbox.rows.map(({ source }) => source)).toEqual(['workspaces/main2/sources/js']);
});

test('AUD-4: what waits of other workspaces is passed once, and not again by each who asks', async () => {
  const [inbox, engine] = [new ArrayInbox(), openProfilesInMemory()];
  onTestFinished(() => engine.database.close());
  inbox.catch(Array.from({ length: 1_500 }, () => caught(-3, { userId: 'x' }, 'workspaces/main2/sources/js')));
  const from: number[] = [];
  const read = inbox.readInbox.bind(inbox);
  inbox.readInbox = (asked) => {
    from.push(asked.after);
    return read(asked);
  };
  const profiles = await openMemoryProfiles(inbox, engine);
  const asked = { spaces: async () => [space(measure('amounts', 'all'))], limit: 9, workspace: 'workspaces/main' };
  for (let time = 0; time < 2; time += 1) await profiles.fold(asked);
  inbox.catch([caught(-2, { userId: 'ada' })]);
  expect(await profiles.fold(asked)).toMatchObject({ events: 1, isMore: false });
  expect(from).toEqual([0, 1_500, 1_500]);
});
