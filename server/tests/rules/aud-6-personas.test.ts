import { expect, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };
const VIPS: Definition = { trait: 'vip', is: { eq: true } };
const OURS = { computation_class: 'audience', computation_id: 'aud_buyers', namespace: 'main' };

test('AUD-6: a purchase counts whatever its context says', async () => {
  const world = await startedWorld();
  await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1', context: { personas: OURS } });
  await world.advance(5 * MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
});

test.each([
  ['of Segment Engage', { ...OURS, computation_id: 'aud_elsewhere', namespace: 'spa_elsewhere' }],
  ['of another workspace', { ...OURS, namespace: 'other' }],
  ['of an audience that was deleted', { ...OURS, computation_id: 'aud_gone' }],
  ['that names no audience', {}],
])('AUD-6: an identify %s says traits as any other', async (_of, personas) => {
  const world = await startedWorld();
  await world.audience('buyers', BOUGHT);
  await world.audience('vips', VIPS);
  await world.send({ type: 'identify', userId: 'u1', traits: { vip: true }, context: { personas } });
  await world.advance(5 * MINUTE);
  expect(world.told()).toEqual(['u1 vips true']);
});

test.each([
  ['an audience', OURS],
  ['a computed trait', { ...OURS, computation_class: 'trait', computation_id: 'tra_spent' }],
])('AUD-6: what %s told and a source sends back says nothing', async (_of, personas) => {
  const world = await startedWorld();
  await world.audience('buyers', BOUGHT);
  await world.trait('spent', { counter: { where: "event = 'Bought'" } });
  await world.audience('vips', VIPS);
  await world.send({ type: 'identify', userId: 'u1', traits: { vip: true }, context: { personas } });
  await world.advance(5 * MINUTE);
  expect(world.told()).toEqual([]);
});
