import { expect, test } from 'vitest';
import { waitsFor } from '../../resources/computed-syncs.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
/** More than may wait for a destination while it is told. */
const MANY = 1_300;
const GOOD = `${SOURCE}/destinations/webhooks`;

function said(event: string): Definition {
  return { events: { where: `event = '${event}'` } };
}

interface Standing {
  readonly world: AudienceWorld;
  /** A destination that takes nothing, until it is mended. */
  readonly dead: string;
  readonly mend: () => void;
}

async function startWorld(): Promise<Standing> {
  let isDead = true;
  const world = await startedWorld({
    endpoint: ({ request }) => answers(isDead && request.url === 'https://dead.test/' ? 503 : 200),
  });
  return { world, dead: await world.addDestination('dead', 'https://dead.test/'), mend: () => (isDead = false) };
}

async function manyBuy(world: AudienceWorld): Promise<void> {
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${1_000 + user}` });
}

test('AUD-4: a destination that takes nothing does not keep another of its audience from hearing', async () => {
  const { world, dead, mend } = await startWorld();
  await world.audience('buyers', said('Bought'), [dead, GOOD]);
  await manyBuy(world);
  await world.advance(10 * MINUTE);
  expect(world.heard()).toHaveLength(MANY);
  mend();
  await world.advance(HOUR);
  expect(new Set(world.heard('https://dead.test/').map(({ user }) => user)).size).toBe(MANY);
});

test('AUD-4: audiences of a destination that takes nothing do not keep other audiences from their syncs', async () => {
  const { world, dead } = await startWorld();
  for (const key of ['one', 'two', 'three']) await world.audience(key, said('Bought'), [dead]);
  await manyBuy(world);
  await world.advance(10 * MINUTE);
  await world.audience('other', said('Bought'), [GOOD]);
  await world.advance(10 * MINUTE);
  expect(world.heard()).toHaveLength(MANY);
});

test('AUD-8: an edit counts while a destination takes nothing: in the end it has heard what holds now', async () => {
  const { world, dead, mend } = await startWorld();
  const name = await world.audience('buyers', said('Bought'), [dead]);
  // Counts, from the beginning, what the other one counts later.
  await world.audience('keeper', said('Left'), []);
  await manyBuy(world);
  await world.send({ userId: 'ada', event: 'Left' });
  await world.advance(10 * MINUTE);
  await world.edit(name, { definition: said('Left') });
  await world.advance(MINUTE);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['RUNNING', 'CANCELLED']);
  mend();
  await world.advance(6 * HOUR);
  const last = new Map(world.heard('https://dead.test/').map(({ user, value }) => [user, value]));
  expect([...last].filter(([, value]) => value === true)).toEqual([['ada', true]]);
});

test('AUD-4: while a destination takes nothing, a sync is not older than an interval', async () => {
  const { world, dead } = await startWorld();
  const name = await world.audience('buyers', said('Bought'), [dead]);
  await manyBuy(world);
  await world.advance(3.1 * HOUR);
  expect((await world.syncs(name)).map(({ number }) => number)).toEqual([2, 1]);
});

test('AUD-4: a sync that waits until its destinations take some of what waits for them says so', async () => {
  const { world, dead, mend } = await startWorld();
  const name = await world.audience('buyers', said('Bought'), [GOOD, dead]);
  await manyBuy(world);
  await world.advance(10 * MINUTE);
  const [sync] = await world.syncs(name);
  if (sync === undefined) throw new Error('there is no sync');
  const reason = `waits, as 1,000 deliveries or more wait for ${dead}`;
  expect(await waitsFor(sync, world.store)).toEqual({ reason });
  mend();
  await world.advance(HOUR);
  expect(await waitsFor(sync, world.store)).toEqual({});
  const [ended] = await world.syncs(name);
  expect(ended && (await waitsFor(ended, world.store))).toEqual({});
});
