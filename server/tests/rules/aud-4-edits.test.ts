import { expect, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
const FIRST = `${SOURCE}/destinations/webhooks`;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

type Edit = Parameters<AudienceWorld['edit']>[1];

test.each<[string, Edit, number]>([
  ['of the display name', { display_name: 'Customers' }, 1],
  ['that sends what stands already', { definition: BOUGHT, destinations: [FIRST], enabled: true }, 1],
  ['of the definition', { definition: { not: BOUGHT } }, 2],
  ['of the destinations', { destinations: [] }, 2],
])('AUD-4: behind a sync and an edit %s: %j, there are %i', async (_what, edit, syncs) => {
  const world = await startedWorld();
  const name = await world.audience('buyers', BOUGHT);
  await world.advance(MINUTE);
  await world.edit(name, edit);
  await world.advance(MINUTE);
  expect(await world.syncs(name)).toHaveLength(syncs);
});

/** A sync stands before its first page, or before what it found is noted; `again` makes each that follows stand there. */
async function startedSync(verb: 'tell' | 'computedSync' = 'tell') {
  let isStopped = true;
  const world = await startedWorld({
    spoil: ({ tellings, profiles }) => {
      const own = { tell: tellings.tell.bind(tellings), computedSync: tellings.computedSync.bind(tellings) };
      const spoilt = {
        tell: (request: Parameters<typeof own.tell>[0]) =>
          isStopped ? Promise.reject(new Error('the disk is full')) : own.tell(request),
        computedSync: (request: Parameters<typeof own.computedSync>[0]) =>
          isStopped ? Promise.reject(new Error('the disk is full')) : own.computedSync(request),
      };
      return { profiles, tellings: Object.assign(Object.create(tellings), { [verb]: spoilt[verb] }) };
    },
  });
  const name = await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE / 2);
  return { world, name, goOn: () => (isStopped = false), again: () => (isStopped = true) };
}

test('AUD-4: a sync goes on while its audience is renamed', async () => {
  const { world, name, goOn } = await startedSync();
  await world.edit(name, { display_name: 'Customers' });
  goOn();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE']);
});

test('AUD-6: what a sync found, and could not note, is not told as of the edit that came meanwhile', async () => {
  const { world, name, goOn } = await startedSync('computedSync');
  await world.send({ userId: 'u2', event: 'Seen' });
  await world.edit(name, { definition: { not: BOUGHT } });
  goOn();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u2 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});

test('AUD-4: what was cancelled as its audience was disabled begins anew once it is enabled', async () => {
  const { world, name, goOn } = await startedSync();
  await world.edit(name, { enabled: false });
  await world.advance(MINUTE);
  goOn();
  await world.edit(name, { enabled: true });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});

/** Deleted, and made again under its name, at an address of its own. */
async function replaceFirst(world: AudienceWorld): Promise<void> {
  await world.store.resources.remove('destinations', FIRST);
  await world.advance(1);
  await world.addDestination('webhooks', 'https://two.test/');
}

test('AUD-3, AUD-4: a destination that was made anew under its name hears all as soon as its audience is saved', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  await replaceFirst(world);
  await world.advance(MINUTE);
  await world.edit(name, { destinations: [FIRST] });
  await world.advance(MINUTE);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
});

test('AUD-3, AUD-4: a sync gives way where a destination was made anew under its name, and its audience is saved', async () => {
  const { world, name, goOn, again } = await startedSync();
  goOn();
  await world.advance(MINUTE);
  again();
  await world.send({ userId: 'u2' });
  await world.store.startSync({ computation: name, now: world.clock.now() });
  await world.advance(MINUTE / 2);
  expect(world.told()).toEqual(['u1 buyers true']);
  await replaceFirst(world);
  await world.edit(name, { destinations: [FIRST] });
  goOn();
  await world.advance(MINUTE);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true', 'u2 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED', 'DONE']);
});

test.each(['computed', 'told'])(
  'AUD-4: a destination that was disabled while a sync %s hears as soon as it is enabled, and its audience is saved',
  async (when) => {
    const { world, name, goOn } = await startedSync();
    if (when === 'computed') {
      await world.setEnabled(FIRST, false);
      await world.edit(name, { definition: { all: [BOUGHT] } });
    }
    await world.advance(MINUTE / 2);
    await world.setEnabled(FIRST, false);
    goOn();
    await world.advance(MINUTE);
    await world.edit(name, { display_name: 'Customers' });
    await world.advance(MINUTE);
    const before = await world.syncs(name);
    expect([world.told(), before[0]?.state]).toEqual([[], 'DONE']);
    await world.setEnabled(FIRST, true);
    await world.edit(name, { destinations: [FIRST] });
    await world.advance(MINUTE);
    expect(world.told()).toEqual(['u1 buyers true']);
    expect(await world.syncs(name)).toHaveLength(before.length + 1);
  },
);

test('AUD-4: what failed while it was told begins anew as soon as its audience is saved', async () => {
  const { world, name, goOn } = await startedSync();
  const { number } = (await world.syncs(name))[0] ?? { number: 0 };
  await world.store.endSync({ computation: name, number, state: 'FAILED', reason: '', now: world.clock.now() });
  await world.advance(MINUTE);
  goOn();
  await world.edit(name, { display_name: 'Customers' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE', 'FAILED']);
});

test('AUD-4: what is enabled again within an interval of its last sync is told with the next, as docs/audiences.md has it', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', BOUGHT);
  await world.advance(MINUTE);
  await world.edit(name, { enabled: false });
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  await world.edit(name, { enabled: true });
  await world.advance(HOUR);
  expect([world.told(), (await world.syncs(name)).length]).toEqual([[], 1]);
  await world.advance(2 * HOUR);
  expect(world.told()).toEqual(['u1 buyers true']);
});
