import { expect, onTestFinished, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR, SOURCE, startAudienceWorld, type WorldOptions } from '../support/audience-world.ts';

const bought = (more: object = {}): Definition => ({ events: { where: "event = 'Bought'", ...more } });
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;
const MINUTE = 60_000;

async function started(options: WorldOptions = {}): Promise<AudienceWorld> {
  const world = await startAudienceWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

async function doNothing(): Promise<void> {}

test('AUD-4: what is changed while a sync runs is computed as soon as it ends', async () => {
  let change = doNothing;
  const world = await started({
    spoil: ({ tellings, ...stores }) => {
      const tell: typeof tellings.tell = async (request) => {
        await change();
        return tellings.tell(request);
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), { tell }) };
    },
  });
  const name = await world.audience('buyers', bought());
  await world.send();
  change = async () => {
    change = doNothing;
    await world.clock.sleep(1);
    await world.edit(name, { definition: bought({ count: { gte: 2 } }) });
  };
  // Jobs look each ten seconds.
  await world.advance(11_000);
  expect((await world.syncs(name)).map(({ computed }) => computed?.size)).toEqual([0, 1]);
  await world.advance(HOUR);
  expect(await world.syncs(name)).toHaveLength(2);
});

test('AUD-3: a destination that is taken off while a sync runs hears no more of it', async () => {
  const [one, two] = [`${SOURCE}/destinations/webhooks`, `${SOURCE}/destinations/webhooks-2`];
  let takeOff = doNothing;
  const world = await started({
    spoil: ({ tellings, ...stores }) => {
      const tell: typeof tellings.tell = async (request) => {
        if (request.destination === two) await takeOff();
        return tellings.tell(request);
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), { tell }) };
    },
  });
  await world.addDestination('webhooks-2', 'https://two.test/');
  const name = await world.audience('buyers', bought(), [one, two]);
  takeOff = () => world.edit(name, { destinations: [one] });
  for (let user = 0; user < 450; user += 1) await world.send({ userId: `u${user}` });
  await world.advance(MINUTE);
  expect(world.told()).toHaveLength(450);
  // The page that was being told.
  expect(world.told('https://two.test/')).toHaveLength(200);
});

test('AUD-3: a destination that is deleted, and made once more under its name, gets all members', async () => {
  const world = await started();
  const name = await world.audience('buyers', bought());
  for (const userId of ['u1', 'u2']) await world.send({ userId });
  await world.advance(HOUR);
  expect(world.told().toSorted()).toEqual(['u1 buyers true', 'u2 buyers true']);
  await world.store.resources.remove('destinations', `${SOURCE}/destinations/webhooks`);
  await world.addDestination('webhooks', 'https://two.test/');
  await world.advance(NEXT_RUN);
  expect(world.told('https://two.test/').toSorted()).toEqual(['u1 buyers true', 'u2 buyers true']);
  await world.advance(2 * NEXT_RUN);
  expect(world.told('https://two.test/')).toHaveLength(2);
  expect((await world.syncs(name)).map(({ sent }) => sent)).toEqual([0, 0, 2, 2]);
});

test.each(['taken off and put back', 'made once more'])(
  'AUD-8: a destination that is %s while it is down hears nothing that waited behind what it is told anew',
  async (how) => {
    let isDown = false;
    const world = await started({ endpoint: () => answers(isDown ? 503 : 200) });
    const webhooks = `${SOURCE}/destinations/webhooks`;
    const name = await world.audience('buyers', bought());
    await world.send({ userId: 'u1' });
    await world.advance(MINUTE);
    isDown = true;
    await world.edit(name, { definition: bought({ count: { gte: 5 } }) });
    await world.advance(HOUR);
    if (how === 'made once more') {
      await world.store.resources.remove('destinations', webhooks);
      await world.advance(1);
      await world.addDestination('webhooks', 'https://one.test/');
    } else {
      await world.edit(name, { destinations: [] });
      await world.advance(MINUTE);
    }
    isDown = false;
    await world.edit(name, { destinations: [webhooks], definition: bought() });
    await world.advance(12 * HOUR);
    expect(world.told()).toEqual(['u1 buyers true', 'u1 buyers true']);
  },
);
