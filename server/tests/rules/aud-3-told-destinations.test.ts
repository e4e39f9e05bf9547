import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { identifyCall } from '../../audiences/identify-call.ts';
import type { Definition } from '../../model/definition.ts';
import { HOUR, SOURCE } from '../support/audience-world.ts';
import { settledWorld } from '../support/started-audience-world.ts';
import { filter } from '../support/config-resources.ts';

const MINUTE = 60_000;
const FIRST = `${SOURCE}/destinations/webhooks`;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

test('AUD-3: a destination that is added after a sync began, and before it computed, hears at once', async () => {
  const world = await settledWorld();
  const second = await world.addDestination('second', 'https://two.test/');
  const computation = await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  // As the API does: the job has its turn a moment later.
  await world.store.startSync({ computation, now: world.clock.now() });
  await world.edit(computation, { destinations: [FIRST, second] });
  await world.advance(MINUTE);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
});

test.each([1, 25])(
  'AUD-3: a destination that is made anew hears all after %i syncs that computed nothing',
  async (times) => {
    const world = await settledWorld();
    const computation = await world.audience('buyers', BOUGHT);
    await world.send({ userId: 'u1' });
    await world.advance(MINUTE);
    expect(world.told()).toEqual(['u1 buyers true']);
    await world.store.resources.remove('destinations', FIRST);
    await world.advance(MINUTE);
    await world.addDestination('webhooks', 'https://two.test/');
    await world.advance(MINUTE);
    for (let sync = 0; sync < times; sync += 1) {
      const now = world.clock.now() + sync;
      const { number } = await world.store.startSync({ computation, now });
      await world.store.endSync({ computation, number, state: 'CANCELLED', now });
    }
    await world.advance(4 * HOUR);
    expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
  },
);

test('AUD-3: filters of a destination drop what audiences tell, until they are gone', async () => {
  const world = await settledWorld();
  const dropping = { ...filter(FIRST, 'df_1'), if: "userId = 'u1'", actions: [{ type: 'drop_event' as const }] };
  await world.store.resources.create('filters', dropping);
  await world.audience('buyers', BOUGHT);
  for (const userId of ['u1', 'u2']) await world.send({ userId });
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u2 buyers true']);
  await world.store.resources.remove('filters', dropping.name);
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u2 buyers true', 'u1 buyers true']);
});

test('AUD-3, AUD-8: a filter that samples tells of the same users in each sync, that they entered and that they left', async () => {
  const world = await settledWorld();
  const sampling = { ...filter(FIRST, 'df_1'), if: 'all', actions: [{ type: 'sample_event' as const, percent: 0.2 }] };
  await world.store.resources.create('filters', sampling);
  await world.audience('buyers', { events: { where: "event = 'Bought'", window: { within: '12h' } } });
  for (let user = 0; user < 200; user += 1) await world.send({ userId: `u${user}` });
  await world.advance(MINUTE);
  const entered = world.told();
  expect(entered.length).toBeGreaterThan(20);
  expect(entered.length).toBeLessThan(60);
  await world.advance(8 * HOUR);
  expect(world.told()).toEqual(entered);
  await world.advance(8 * HOUR);
  const left = entered.map((one) => one.replace('true', 'false'));
  expect(world.told().toSorted()).toEqual([...entered, ...left].toSorted());
});

test.each(['is dropped by a filter', 'is suppressed for a while'])(
  'AUD-8: what waits for a user is not sent once another value holds that %s',
  async (how) => {
    let isDown = true;
    const world = await settledWorld({ endpoint: () => answers(isDown ? 503 : 200) });
    const computation = await world.audience('buyers', BOUGHT);
    await world.send({ userId: 'u1' });
    await world.advance(MINUTE);
    const dropping = { ...filter(FIRST, 'df_1'), if: 'all', actions: [{ type: 'drop_event' as const }] };
    const isDropped = how === 'is dropped by a filter';
    if (isDropped) await world.store.resources.create('filters', dropping);
    else await world.regulate('Suppress', 'u1');
    await world.edit(computation, { definition: { any: [] } });
    await world.advance(15_000);
    if (!isDropped) await world.regulate('Unsuppress', 'u1');
    isDown = false;
    await world.advance(30 * MINUTE);
    expect(world.told()).toEqual([]);
    if (isDropped) await world.store.resources.remove('filters', dropping.name);
    await world.advance(4 * HOUR);
    expect(world.told()).toEqual(['u1 buyers false']);
  },
);

test('AUD-8: two values have two message ids, although a storage that was restored gives the number of a sync once more', () => {
  const workspace = { name: 'workspaces/main', id: '1' };
  const trait = {
    name: 'workspaces/main/computed-traits/tra_1',
    kind: 'computed-traits',
    key: 'spent',
    workspace,
  } as const;
  const idOf = (value: string): string =>
    identifyCall(trait, { destination: FIRST, user: 'u1', sync: 6, value }, { wall: 0, steady: 0 }).event.messageId;
  expect(idOf('10')).not.toBe(idOf('12'));
  expect(idOf('10')).toBe(idOf('10'));
});
