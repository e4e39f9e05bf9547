import { expect, onTestFinished, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR, startAudienceWorld, type Stores } from '../support/audience-world.ts';

const MINUTE = 60_000;
/** As many as two pages of a sync have. */
const MANY = 350;

const bought = (within: string): Definition => ({ events: { where: "event = 'Bought'", window: { within } } });

/** What a process knows is lost, and its next page waits. */
function stopping({ tellings, profiles }: Stores, isStopped: () => boolean): Stores {
  return {
    profiles,
    tellings: Object.assign(Object.create(tellings), {
      tell: async (request: Parameters<typeof tellings.tell>[0]) => {
        if (request.cursor.after === undefined || !isStopped()) return tellings.tell(request);
        throw new Error('the process is gone');
      },
    }),
  };
}

interface HalfTold {
  readonly world: AudienceWorld;
  readonly audience: string;
  readonly goOn: () => void;
}

/** A first sync stands before its first page. */
async function startHalfTold(within: string): Promise<HalfTold> {
  let isStopped = true;
  const world = await startAudienceWorld({ spoil: (stores) => stopping(stores, () => isStopped) });
  onTestFinished(() => world.stop());
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${1_000 + user}` });
  const audience = await world.audience('buyers', bought(within));
  for (let user = 0; user < MANY; user += 1) await world.send({ userId: `u${1_000 + user}` });
  await world.advance(20_000);
  expect([world.heard().length, (await world.syncs(audience)).length]).toEqual([0, 1]);
  return { world, audience, goOn: () => (isStopped = false) };
}

test('AUD-8, check 22: a sync that goes on after nine hours tells nobody what held nine hours ago', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  goOn();
  await world.restartJobs(9 * HOUR);
  await world.advance(MINUTE);
  expect(world.heard()).toEqual([]);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});

test('AUD-8: a sync that goes on soon tells the rest itself', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  goOn();
  await world.restartJobs(MINUTE);
  await world.advance(MINUTE);
  expect(world.heard()).toHaveLength(MANY);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE']);
});

test('AUD-8: a definition that is edited in the middle of a sync is told at once, and the old one no more', async () => {
  const { world, audience, goOn } = await startHalfTold('4h');
  await world.edit(audience, { definition: { not: bought('4h') } });
  goOn();
  await world.advance(MINUTE);
  expect(world.heard()).toEqual([]);
  expect((await world.syncs(audience)).map(({ state }) => state)).toEqual(['DONE', 'CANCELLED']);
});
