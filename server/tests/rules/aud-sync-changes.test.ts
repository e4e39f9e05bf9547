import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { heardOutOfOrder } from '../oracle/heard-order.ts';
import { HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const bought = (more: object = {}): Definition => ({ events: { where: "event = 'Bought'", ...more } });
const A_DAY = { window: { within: '1d' } };
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;
const MINUTE = 60_000;

async function doNothing(): Promise<void> {}

test('AUD-4: what is changed while a sync runs is computed as soon as it ends', async () => {
  let change = doNothing;
  const world = await startedWorld({
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

test('AUD-3: a destination that is taken off while a sync runs hears no more of it, not even what waits', async () => {
  const [one, two] = [`${SOURCE}/destinations/webhooks`, `${SOURCE}/destinations/webhooks-2`];
  let takeOff = doNothing;
  const world = await startedWorld({
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
  expect(world.told('https://two.test/')).toEqual([]);
});

test('AUD-3: a destination that is deleted, and made once more under its name, gets all members', async () => {
  const world = await startedWorld();
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

test('AUD-3: a destination that is made in the very moment of a run, under the name of another, gets all members', async () => {
  let replace = doNothing;
  const world = await startedWorld({
    spoil: ({ tellings, ...stores }) => {
      const tell: typeof tellings.tell = async (request) => {
        const answer = await tellings.tell(request);
        await replace();
        return answer;
      };
      return { ...stores, tellings: Object.assign(Object.create(tellings), { tell }) };
    },
  });
  await world.audience('buyers', bought());
  await world.send();
  replace = async () => {
    replace = doNothing;
    await world.store.resources.remove('destinations', `${SOURCE}/destinations/webhooks`);
    await world.addDestination('webhooks', 'https://two.test/');
  };
  await world.advance(MINUTE);
  expect([...world.told(), ...world.told('https://two.test/')]).toEqual([]);
  await world.advance(NEXT_RUN);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
});

test.each(['taken off and put back', 'made once more'])(
  'AUD-8: a destination that is %s while it is down hears nothing that waited behind what it is told anew',
  async (how) => {
    let isDown = false;
    const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
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
    expect(world.told().at(-1)).toBe('u1 buyers true');
    expect(heardOutOfOrder(world, ['https://one.test/'])).toEqual([]);
  },
);

test('AUD-8: a destination that is taken off, and put back later, hears what has changed meanwhile', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought(A_DAY));
  for (const userId of ['left', 'stayed']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.edit(name, { destinations: [] });
  await world.advance(20 * HOUR);
  for (const userId of ['stayed', 'entered']) await world.send({ userId });
  await world.advance(10 * HOUR);
  expect(world.told()).toHaveLength(2);
  await world.edit(name, { destinations: [`${SOURCE}/destinations/webhooks`] });
  await world.advance(NEXT_RUN);
  expect(world.told().slice(2).toSorted()).toEqual(['entered buyers true', 'left buyers false']);
});

test('AUD-8: what waits for a destination that was deleted is not sent to another that was given its name', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  const name = await world.audience('buyers', bought());
  await world.send();
  await world.advance(MINUTE);
  await world.store.resources.remove('destinations', `${SOURCE}/destinations/webhooks`);
  await world.addDestination('webhooks', 'https://two.test/');
  isDown = false;
  await world.advance(10 * MINUTE);
  expect(world.told('https://two.test/')).toEqual([]);
  await world.edit(name, { definition: bought({ count: { gte: 5 } }) });
  await world.advance(12 * HOUR);
  expect([...world.told(), ...world.told('https://two.test/')]).toEqual([]);
});

test.each(['its user is suppressed', 'its destination was made anew'])(
  'AUD-8, AUD-9: what waits of an audience that was deleted is not sent once %s',
  async (why) => {
    let isDown = true;
    const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
    const name = await world.audience('buyers', bought());
    for (const userId of ['u1', 'u2']) await world.send({ userId });
    await world.advance(MINUTE);
    await world.store.resources.remove('audiences', name);
    const isSuppressed = why === 'its user is suppressed';
    if (isSuppressed) await world.regulate('Suppress', 'u1');
    else {
      await world.store.resources.remove('destinations', `${SOURCE}/destinations/webhooks`);
      await world.addDestination('webhooks', 'https://two.test/');
    }
    isDown = false;
    await world.advance(HOUR);
    expect(world.told()).toEqual(isSuppressed ? ['u2 buyers true'] : []);
    expect(world.told('https://two.test/')).toEqual([]);
  },
);

test('AUD-8: an id that was merged, and is the name of its user again, is told false when the user has left', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought());
  for (const userId of ['old', 'new']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.send({ type: 'alias', userId: 'new', previousId: 'old' });
  await world.advance(NEXT_RUN);
  await world.send({ type: 'alias', userId: 'old', previousId: 'new' });
  await world.edit(name, { definition: bought({ count: { gte: 5 } }) });
  await world.advance(12 * HOUR);
  expect(world.told().slice(2)).toEqual(['old buyers false']);
});

test('AUD-8: what waits for an id that was merged away is not sent behind what its user is told', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  const name = await world.audience('buyers', bought());
  for (const userId of ['old', 'new']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.send({ type: 'alias', userId: 'new', previousId: 'old' });
  await world.edit(name, { definition: bought({ count: { gte: 5 } }) });
  await world.advance(MINUTE);
  isDown = false;
  await world.advance(12 * HOUR);
  expect(world.told()).toEqual(['new buyers false']);
});
