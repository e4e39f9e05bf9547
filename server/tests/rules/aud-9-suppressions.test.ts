import { expect, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { type AudienceWorld, HOUR } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;

/** The user `new`, who was `old` before. */
async function worldOfMerged(suppressed: string): Promise<{ readonly world: AudienceWorld; readonly name: string }> {
  const world = await startedWorld();
  const name = await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'old' });
  await world.send({ type: 'alias', userId: 'new', previousId: 'old' });
  await world.regulate('Suppress', suppressed);
  await world.advance(NEXT_RUN);
  return { world, name };
}

test('AUD-9: a suppressed user stays a member, of whom nothing is told', async () => {
  const { world, name } = await worldOfMerged('new');
  const { results } = await world.profiles.results({ computation: name, limit: 10 });
  expect(results.map(({ user }) => user)).toEqual(['new']);
  expect((await world.syncs(name))[0]).toMatchObject({ computed: { size: 1 }, sent: 0, cursor: { leftOut: 1 } });
  expect(world.told()).toEqual([]);
});

test('AUD-9: to suppress an id that was merged does not suppress its user under the newer one', async () => {
  const { world } = await worldOfMerged('old');
  expect(world.told()).toEqual(['new buyers true']);
});

test('AUD-9: events under another id of a suppressed user count for it', async () => {
  const { world, name } = await worldOfMerged('new');
  await world.edit(name, { definition: { events: { where: "event = 'Bought'", count: { gte: 2 } } } });
  for (const userId of ['new', 'old']) await world.send({ userId });
  await world.advance(NEXT_RUN);
  expect((await world.syncs(name))[0]).toMatchObject({ computed: { size: 1 } });
});
