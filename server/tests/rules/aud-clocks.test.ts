import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

/** What audiences are told by is looked at for what is another, not for what is later: clocks are set back, and differ. */
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };
const MINUTE = 60_000;
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;

test('HOOK-21, AUD-3: after the wall was set back, a destination that is made once more gets all members', async () => {
  const world = await startedWorld();
  await world.audience('buyers', BOUGHT);
  await world.send();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  world.clock.stepWall(-HOUR);
  await world.store.resources.remove('destinations', WEBHOOKS);
  await world.addDestination('webhooks', 'https://two.test/');
  await world.advance(24 * HOUR);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
});

test('HOOK-21, AUD-8: after the wall was set back, what waited for a destination is not sent to another of its name', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  const name = await world.audience('buyers', BOUGHT);
  await world.send();
  await world.advance(MINUTE);
  await world.edit(name, { enabled: false });
  world.clock.stepWall(-HOUR);
  await world.store.resources.remove('destinations', WEBHOOKS);
  await world.addDestination('webhooks', 'https://two.test/');
  isDown = false;
  await world.advance(10 * MINUTE);
  expect(world.told('https://two.test/')).toEqual([]);
});

test('HOOK-21, AUD-3: of a destination that was made by a clock that is ahead nobody is told twice', async () => {
  const world = await startedWorld();
  await world.store.resources.remove('destinations', WEBHOOKS);
  world.clock.stepWall(HOUR);
  await world.addDestination('webhooks', 'https://one.test/');
  world.clock.stepWall(-HOUR);
  const name = await world.audience('buyers', BOUGHT);
  await world.send();
  await world.advance(MINUTE);
  for (let definition: Definition = { all: [BOUGHT] }, n = 0; n < 3; n += 1) {
    await world.edit(name, { definition });
    definition = { all: [definition] };
    await world.advance(MINUTE);
  }
  expect(world.told()).toEqual(['u1 buyers true']);
  await world.advance(12 * HOUR);
  expect(world.told()).toEqual(['u1 buyers true']);
});

test('HOOK-21, AUD-6: what a wall that was ten years ahead for some minutes did not need is still there', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', { events: { where: "event = 'Bought'", window: { within: '30d' } } });
  await world.send();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  await world.edit(name, { enabled: false });
  world.clock.stepWall(10 * 365 * 24 * HOUR);
  await world.advance(10 * MINUTE);
  world.clock.stepWall(-10 * 365 * 24 * HOUR);
  await world.edit(name, {
    enabled: true,
    definition: { all: [{ events: { where: "event = 'Bought'", window: { within: '30d' } } }] },
  });
  await world.advance(10 * MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
});

test('AUD-4: after the wall was set back behind an edit, runs do not follow one another without end', async () => {
  let starts = 0;
  const world = await startedWorld({
    spoil: ({ tellings, ...stores }) => {
      const startSync: typeof tellings.startSync = async (request) => {
        starts += 1;
        if (starts > 50) throw new Error('a storm of runs');
        return tellings.startSync(request);
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), { startSync }) };
    },
  });
  await world.audience('buyers', BOUGHT);
  await world.advance(MINUTE);
  world.clock.stepWall(-HOUR);
  await world.advance(MINUTE);
  expect(starts).toBeLessThan(4);
});
