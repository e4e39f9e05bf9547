import { expect, test } from 'vitest';
import { HOUR } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MEMBER = 'u1 buyers true';
const MINUTE = 60_000;

async function withMember() {
  const world = await startedWorld();
  const name = await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  await world.send({ userId: 'u1' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual([MEMBER]);
  return { world, name };
}

test('AUD-8: an audience that is deleted tells nobody', async () => {
  const { world, name } = await withMember();
  await world.store.resources.remove('audiences', name);
  await world.advance(12 * HOUR);
  expect(world.told()).toEqual([MEMBER]);
});

test('AUD-8: an audience that is disabled tells nobody, and what has changed meanwhile once it is enabled again', async () => {
  const { world, name } = await withMember();
  await world.edit(name, { enabled: false });
  await world.send({ userId: 'u2' });
  await world.advance(12 * HOUR);
  expect(world.told()).toEqual([MEMBER]);
  await world.edit(name, { enabled: true });
  await world.advance(12 * HOUR);
  expect(world.told().slice(1)).toEqual(['u2 buyers true']);
});

test('AUD-8: an audience that is cleared by a trait of nobody tells each member false', async () => {
  const { world, name } = await withMember();
  await world.edit(name, { definition: { trait: 'nobody_has_this', is: { exists: true } } });
  await world.advance(MINUTE);
  expect(world.told().slice(1)).toEqual(['u1 buyers false']);
});
