import { expect, onTestFinished, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, SOURCE, startAudienceWorld, type WorldOptions } from '../support/audience-world.ts';

const MINUTE = 60_000;
const FIRST = `${SOURCE}/destinations/webhooks`;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

async function startWorld(options: WorldOptions = {}): Promise<AudienceWorld> {
  const world = await startAudienceWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

type Edit = Parameters<AudienceWorld['edit']>[1];

test.each<[string, Edit, number]>([
  ['of the display name', { display_name: 'Customers' }, 1],
  ['that sends what stands already', { definition: BOUGHT, destinations: [FIRST], enabled: true }, 1],
  ['of the definition', { definition: { not: BOUGHT } }, 2],
  ['of the destinations', { destinations: [] }, 2],
])('AUD-4: behind a sync and an edit %s: %j, there are %i', async (_what, edit, syncs) => {
  const world = await startWorld();
  const name = await world.audience('buyers', BOUGHT);
  await world.advance(MINUTE);
  await world.edit(name, edit);
  await world.advance(MINUTE);
  expect(await world.syncs(name)).toHaveLength(syncs);
});

/** A sync stands before its first page. */
async function startedSync() {
  let isStopped = true;
  const world = await startWorld({
    spoil: ({ tellings, profiles }) => {
      const tell: typeof tellings.tell = async (request) => {
        if (isStopped) throw new Error('the disk is full');
        return tellings.tell(request);
      };
      return { profiles, tellings: Object.assign(Object.create(tellings), { tell }) };
    },
  });
  const name = await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE / 2);
  return { world, name, goOn: () => (isStopped = false) };
}

test('AUD-4: a sync goes on while its audience is renamed', async () => {
  const { world, name, goOn } = await startedSync();
  await world.edit(name, { display_name: 'Customers' });
  goOn();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE']);
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
