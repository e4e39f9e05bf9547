import { expect, test } from 'vitest';
import {
  MAIN,
  newPlace,
  openWorld,
  type RegulationWorld,
  suppressedBy,
  withSources,
} from '../support/regulation-world.ts';

const A = `${MAIN}/sources/a`;

async function startWorld(): Promise<RegulationWorld> {
  const world = await openWorld(newPlace());
  await withSources(world);
  return world;
}

function suppressed({ directory }: RegulationWorld): string[] {
  return suppressedBy(directory, MAIN);
}

test.each(['Suppress', 'Suppress_With_Delete'] as const)('D-12: %s drops later events of its users', async (type) => {
  const world = await startWorld();
  await world.regulate(type, ['u1'], false);
  expect(await world.ingest(A, { userId: 'u1' }, { userId: 'u2' }, { type: 'alias', previousId: 'u1' })).toBe(1);
  expect(await world.logged(A)).toEqual(['u2']);
  expect(world.log.lines).toContainEqual(expect.objectContaining({ fields: { source: A, drops: { suppressed: 2 } } }));
});

test.each(['Delete', 'Delete_Internal'] as const)('D-12: %s lets later events of its users in', async (type) => {
  const world = await startWorld();
  await world.regulate(type, ['u1']);
  await world.runner.idle();
  expect(await world.ingest(A, { userId: 'u1' })).toBe(1);
});

test('D-12: Unsuppress lets a user in again, and the others not', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1', 'u2'], false);
  await world.regulate('Unsuppress', ['u1', 'stranger'], false);
  expect(suppressed(world)).toEqual(['u2']);
  expect(await world.ingest(A, { userId: 'u1' }, { userId: 'u2' })).toBe(1);
  await world.regulate('Suppress', ['u1'], false);
  expect(suppressed(world)).toEqual(['u2', 'u1']);
});

test('D-12: a user of another workspace is not suppressed', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1'], false);
  expect(suppressedBy(world.directory, 'workspaces/other')).toEqual([]);
});

test('D-12: an event without a user is nobody who is suppressed', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1'], false);
  const { userId: _none, ...anonymous } = { userId: 'x', anonymousId: 'u1' };
  expect(await world.ingest(A, { ...anonymous, userId: 'x' })).toBe(1);
});

test('HOOK-16: the delete event of a suppressed user is sent all the same', async () => {
  const world = await startWorld();
  await world.regulate('Suppress_With_Delete', ['u1']);
  await world.runner.idle();
  expect(world.sent()).toContain(`${A} delete u1`);
});

test('D-12: suppression outlives the process', async () => {
  const place = newPlace();
  const first = await openWorld(place);
  await withSources(first);
  await first.regulate('Suppress_With_Delete', ['u1']);
  await first.runner.idle();
  await first.end();
  expect(suppressed(await openWorld(place))).toEqual(['u1']);
});

test('D-12: a cancelled suppression is one no longer', async () => {
  const world = await startWorld();
  const name = await world.regulate('Suppress', ['u1'], false);
  expect(suppressed(world)).toEqual(['u1']);
  await world.config.remove('regulations', name);
  expect(suppressed(world)).toEqual([]);
});

test('D-12: a workspace that gets a used name suppresses nobody', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1'], false);
  expect(suppressed(world)).toEqual(['u1']);
  await world.config.remove('workspaces', MAIN);
  expect(suppressed(world)).toEqual([]);
  const again = { name: MAIN, display_name: '', id: 'ffffffffff', create_time: '2026-11-20T00:00:00Z' };
  await world.config.create('workspaces', again);
  expect(suppressed(world)).toEqual([]);
});

test('D-12: what several regulations say adds up', async () => {
  const world = await startWorld();
  for (const id of ['u1', 'u2', 'u3']) await world.regulate('Suppress', [id], false);
  expect(suppressed(world)).toEqual(['u1', 'u2', 'u3']);
});

test('D-12, D-42: events of suppressed users are counted as dropped', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1'], false);
  await world.ingest(A, { userId: 'u1', messageId: 'm1' }, { userId: 'u2' }, { userId: 'u1', messageId: 'm2' });
  expect([...world.dropped.of(A)]).toEqual([['suppressed', 2]]);
  expect(world.dropped.lastOf(A)).toMatchObject([
    { reason: 'suppressed', messageId: 'm2', type: 'track' },
    { reason: 'suppressed', messageId: 'm1' },
  ]);
});

test('D-12, D-42: a request without suppressed users counts no drop', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u1' });
  await world.regulate('Suppress', ['u2'], false);
  await world.ingest(A, { userId: 'u1' });
  expect(world.dropped.of(A).size).toBe(0);
});
