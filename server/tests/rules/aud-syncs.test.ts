import { expect, test } from 'vitest';
import { answers, type SimulatedPost } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { DAY, HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const bought = (more: object = {}): Definition => ({ events: { where: "event = 'Bought'", ...more } });
const A_DAY = { window: { within: '1d' } };
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;
const MINUTE = 60_000;

test('AUD-3: the first sync tells of each member once, and of nobody else (check 1)', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought());
  for (const userId of ['u1', 'u2', 'u3']) await world.send({ userId });
  await world.send({ userId: 'u4', event: 'Seen' });
  await world.advance(MINUTE);
  expect(world.told().toSorted()).toEqual(['u1 buyers true', 'u2 buyers true', 'u3 buyers true']);
  await world.advance(NEXT_RUN);
  expect(world.told()).toHaveLength(3);
  const [last, first] = await world.syncs(name);
  expect(first).toMatchObject({ state: 'DONE', computed: { size: 3, entered: 3, left: 0 }, sent: 3, delivered: 3 });
  expect(last).toMatchObject({ state: 'DONE', computed: { size: 3, entered: 0, left: 0 }, sent: 0 });
});

test('AUD-4: a run looks for what it found among those alone whom it compares', async () => {
  const asked: (string | undefined)[] = [];
  const world = await startedWorld({
    spoil: ({ profiles, ...stores }) => ({
      ...stores,
      profiles: {
        ...profiles,
        results: (request) => {
          asked.push(request.upTo);
          return profiles.results(request);
        },
      },
    }),
  });
  await world.audience('buyers', bought(A_DAY));
  for (let number = 0; number < 450; number += 1) await world.send({ userId: `u${1_000 + number}` });
  await world.advance(MINUTE);
  expect(world.told()).toHaveLength(450);
  asked.length = 0;
  await world.advance(DAY + NEXT_RUN);
  expect(world.told()).toHaveLength(900);
  expect(asked.slice(-3)).toEqual(['u1199', 'u1399', undefined]);
});

test('AUD-2: a member whose window ends is told false, once (check 2)', async () => {
  const world = await startedWorld();
  await world.audience('buyers', bought(A_DAY));
  await world.send();
  await world.advance(DAY - 4 * HOUR);
  expect(world.told()).toEqual(['u1 buyers true']);
  await world.advance(4 * HOUR + NEXT_RUN);
  expect(world.told()).toEqual(['u1 buyers true', 'u1 buyers false']);
  await world.advance(2 * NEXT_RUN);
  expect(world.told()).toHaveLength(2);
});

test('AUD-3: who enters and leaves between two runs is not told of (check 3)', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', { all: [bought(), { not: { trait: 'plan', is: { eq: 'left' } } }] });
  await world.advance(MINUTE);
  await world.send();
  await world.advance(MINUTE);
  await world.send({ type: 'identify', traits: { plan: 'left' } });
  await world.advance(NEXT_RUN);
  expect(await world.syncs(name)).toHaveLength(2);
  expect(world.told()).toEqual([]);
});

test('AUD-3: a sum that falls as time passes lets somebody in (check 4)', async () => {
  const world = await startedWorld();
  const sum = { sum: { of: 'properties.total', lt: 50 }, window: { within: '6h' } };
  await world.audience('small', { all: [bought(sum), bought()] });
  await world.send({ properties: { total: 60 } });
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual([]);
  await world.advance(2 * NEXT_RUN);
  expect(world.told()).toEqual(['u1 small true']);
});

test('AUD-6: a complement has those who only identified (check 5)', async () => {
  const world = await startedWorld();
  await world.audience('quiet', { not: bought() });
  await world.send({ type: 'identify', userId: 'u2', traits: {} });
  await world.send();
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u2 quiet true']);
});

test('AUD-7: what a visitor did before it identified counts for the user (check 9)', async () => {
  const world = await startedWorld();
  await world.audience('buyers', bought());
  const store = world.pipeline;
  const at = new Date(world.clock.now()).toISOString();
  const visit = {
    type: 'track',
    messageId: 'v1',
    anonymousId: 'a1',
    event: 'Bought',
    properties: {},
    context: {},
  } as const;
  await store.accept({ source: SOURCE, events: [{ ...visit, timestamp: at, receivedAt: at }] });
  await world.advance(MINUTE);
  await world.send({ type: 'identify', userId: 'u1', anonymousId: 'a1', traits: {} });
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u1 buyers true']);
});

test('AUD-7: of two members that merge the survivor is told nothing, and the other nothing more (check 12)', async () => {
  const world = await startedWorld();
  await world.audience('buyers', bought());
  await world.send({ userId: 'old' });
  await world.send({ userId: 'new' });
  await world.advance(MINUTE);
  expect(world.told().toSorted()).toEqual(['new buyers true', 'old buyers true']);
  await world.send({ type: 'alias', userId: 'new', previousId: 'old' });
  await world.advance(2 * NEXT_RUN);
  expect(world.told()).toHaveLength(2);
});

test('AUD-6: those who no longer meet an edited definition are told false (check 15)', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought());
  await world.send({ userId: 'u1' });
  await world.send({ userId: 'u2' });
  await world.send({ userId: 'u2' });
  await world.advance(MINUTE);
  await world.edit(name, { definition: bought({ count: { gte: 2 } }) });
  await world.advance(MINUTE);
  expect(world.told().slice(2)).toEqual(['u1 buyers false']);
});

test('AUD-6: an audience of an audience is of the same run (check 16)', async () => {
  const world = await startedWorld();
  const inner = await world.audience('buyers', bought(), []);
  await world.audience('both', { all: [{ member_of: inner }, { trait: 'plan', is: { eq: 'pro' } }] });
  await world.send();
  await world.send({ type: 'identify', traits: { plan: 'pro' } });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 both true']);
});

test('AUD-8: after a receiver was down while a user left, the last that it hears is false (check 19)', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  const name = await world.audience('buyers', bought());
  await world.send();
  await world.advance(MINUTE);
  await world.edit(name, { definition: bought({ count: { gte: 5 } }) });
  await world.advance(3 * HOUR);
  expect(world.told()).toEqual([]);
  isDown = false;
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u1 buyers false']);
});

const isAboutU2 = ({ request }: SimulatedPost): boolean => Buffer.from(request.body).includes('"userId":"u2"');
const isTold = ({ request }: SimulatedPost): boolean => Buffer.from(request.body).includes('"personas_');

test('AUD-8: a user that a receiver refuses is one failure, and is not sent again (check 20)', async () => {
  const world = await startedWorld({ endpoint: (post) => answers(isAboutU2(post) ? 400 : 200) });
  const name = await world.audience('buyers', bought());
  for (const userId of ['u1', 'u2', 'u3']) await world.send({ userId });
  await world.advance(2 * NEXT_RUN);
  const syncs = await world.syncs(name);
  expect(syncs.at(-1)).toMatchObject({ sent: 3, delivered: 2, failed: 1 });
  expect(world.transport.posts.filter((post) => isAboutU2(post) && isTold(post))).toHaveLength(1);
});

test('AUD-4: after nine hours without a router there is one run (check 22)', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought());
  await world.advance(MINUTE);
  await world.restartJobs(9 * HOUR);
  await world.advance(MINUTE);
  expect(await world.syncs(name)).toHaveLength(2);
});

test('AUD-3: a destination that is added later gets all members, the old one nothing (check 24)', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought());
  await world.send();
  await world.advance(MINUTE);
  const later = await world.addDestination('webhooks-2', 'https://two.test/');
  await world.edit(name, { destinations: [`${SOURCE}/destinations/webhooks`, later] });
  await world.advance(MINUTE);
  expect(world.told('https://two.test/')).toEqual(['u1 buyers true']);
  expect(world.told()).toHaveLength(1);
});

test('AUD-3: a destination that was off catches up once it is on again', async () => {
  const world = await startedWorld();
  const name = `${SOURCE}/destinations/webhooks`;
  await world.setEnabled(name, false);
  await world.audience('buyers', bought());
  await world.send();
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual([]);
  await world.setEnabled(name, true);
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u1 buyers true']);
});

test('AUD-9: a suppressed user is told nothing', async () => {
  const world = await startedWorld();
  const name = await world.audience('buyers', bought(A_DAY));
  await world.send();
  await world.advance(MINUTE);
  await world.regulate('Suppress', 'u1');
  await world.advance(DAY + NEXT_RUN);
  expect(world.told()).toEqual(['u1 buyers true']);
  const [, ...earlier] = (await world.syncs(name)).toReversed();
  expect(earlier.map(({ sent }) => sent).filter((sent) => sent > 0)).toEqual([]);
});

test.each(['a\ud800', 'a\uFFFD'])(
  'AUD-9: a user whose id has half of a surrogate pair is suppressed as %j',
  async (id) => {
    const world = await startedWorld();
    await world.audience('buyers', bought());
    for (const userId of ['a\ud800', 'u2']) await world.send({ userId });
    await world.regulate('Suppress', id);
    await world.send({ userId: 'a\uFFFD' });
    await world.advance(NEXT_RUN);
    expect(world.told()).toEqual(['u2 buyers true']);
    await world.regulate('Unsuppress', 'a\ud800');
    await world.advance(NEXT_RUN);
    expect(world.told()).toEqual(['u2 buyers true', 'a\uFFFD buyers true']);
  },
);

test('AUD-9: what waits to be told of a user is not sent once the user is suppressed, and what holds then is told when that ends', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  await world.audience('buyers', bought());
  for (const userId of ['u1', 'u2']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.regulate('Suppress', 'u1');
  isDown = false;
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u2 buyers true']);
  await world.regulate('Unsuppress', 'u1');
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u2 buyers true', 'u1 buyers true']);
});

test('AUD-5, AUD-10: a computed trait is told when it changes, and reset when its events are too old', async () => {
  const world = await startedWorld();
  await world.trait('orders', { counter: { where: "event = 'Bought'", window: { within: '9h' } } });
  await world.send();
  await world.send();
  await world.advance(MINUTE);
  await world.send();
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u1 orders 2', 'u1 orders 3']);
  await world.advance(5 * NEXT_RUN);
  expect(world.told().at(-1)).toBe('u1 orders 0');
  expect(new Set(world.told()).size).toBe(world.told().length);
});

test('AUD-4: a run whose jobs restart tells of each member once', async () => {
  const world = await startedWorld();
  await world.audience('buyers', bought());
  for (let user = 0; user < 1_300; user += 1) await world.send({ userId: `u${user}` });
  for (let times = 0; times < 20; times += 1) await world.restartJobs(400);
  await world.advance(30 * MINUTE);
  const heard = world.heard();
  expect(new Set(heard.map(({ user }) => user)).size).toBe(1_300);
  expect(heard).toHaveLength(1_300);
});

test('AUD-4: a first sync waits for a fast receiver no longer than it takes', async () => {
  const world = await startedWorld();
  // From here on profiles are kept.
  await world.audience('nobody', { any: [] });
  for (let user = 0; user < 4_000; user += 1) await world.send({ userId: `u${user}` });
  const name = await world.audience('everybody', { all: [] });
  await world.advance(MINUTE);
  const [sync] = await world.syncs(name);
  expect(sync).toMatchObject({ state: 'DONE', sent: 4_000 });
  expect((sync?.endedAt ?? Infinity) - (sync?.startedAt ?? 0)).toBeLessThan(1_000);
});
