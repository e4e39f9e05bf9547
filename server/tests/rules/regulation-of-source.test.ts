import { expect, test } from 'vitest';
import {
  MAIN,
  newPlace,
  openWorld,
  type Place,
  type RegulationWorld,
  suppressedBy,
  withSources,
} from '../support/regulation-world.ts';
import { source } from '../support/config-resources.ts';

const [A, B] = [`${MAIN}/sources/a`, `${MAIN}/sources/b`];

async function startWorld(place: Place = newPlace()): Promise<RegulationWorld> {
  const world = await openWorld(place);
  await withSources(world);
  return world;
}

function suppressedIn({ directory }: RegulationWorld, scope: string): string[] {
  return suppressedBy(directory, scope);
}

test('CFG-25: a deletion in a source deletes what that source sent, and tells its webhooks alone', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u1' }, { userId: 'u2' });
  await world.ingest(B, { userId: 'u1' }, { userId: 'u3' });
  const name = await world.regulateIn(A, 'Delete', ['u1']);
  await world.runner.idle();
  expect(await world.logged(A)).toEqual(['u2', 'u1']);
  expect(await world.logged(B)).toEqual(['u1', 'u3']);
  expect(world.sent().filter((line) => line.includes('delete'))).toEqual([`${A} delete u1`]);
  expect(await world.config.get('regulations', name)).toMatchObject({
    overall_status: 'FINISHED',
    source_status: [{ source_name: A, status: 'FINISHED' }],
    user_ids: [],
  });
});

test('CFG-25: a source whose name begins like another one is not touched', async () => {
  const world = await startWorld();
  await world.config.create('sources', source('main', 'ab'));
  const made = await world.config.get('destinations', `${A}/destinations/webhooks`);
  if (made === undefined) throw new Error('the source a has no destination');
  await world.config.create('destinations', { ...made, name: `${A}b/destinations/webhooks`, parent: `${A}b` });
  await world.ingest(`${A}b`, { userId: 'u1' }, { userId: 'u2' });
  await world.regulateIn(A, 'Delete_Internal', ['u1']);
  await world.runner.idle();
  expect(await world.logged(`${A}b`)).toEqual(['u1', 'u2']);
});

test.each(['Suppress', 'Suppress_With_Delete'] as const)('CFG-25: %s in a source holds there alone', async (type) => {
  const world = await startWorld();
  await world.regulateIn(A, type, ['u1'], false);
  expect(await world.ingest(A, { userId: 'u1' }, { userId: 'u2' }, { type: 'alias', previousId: 'u1' })).toBe(1);
  expect(await world.ingest(B, { userId: 'u1' })).toBe(1);
  expect([...world.dropped.of(A)]).toEqual([['suppressed', 2]]);
  expect(world.dropped.of(B).size).toBe(0);
});

test('CFG-25: a user is accepted once neither the workspace nor the source suppresses it', async () => {
  const world = await startWorld();
  await world.regulate('Suppress', ['u1'], false);
  await world.regulateIn(A, 'Suppress', ['u1'], false);
  expect(await world.ingest(A, { userId: 'u1' })).toBe(0);
  await world.regulate('Unsuppress', ['u1'], false);
  expect(await world.ingest(A, { userId: 'u1' })).toBe(0);
  expect(await world.ingest(B, { userId: 'u1' })).toBe(1);
  await world.regulateIn(A, 'Unsuppress', ['u1'], false);
  expect(await world.ingest(A, { userId: 'u1' })).toBe(1);
  expect([suppressedIn(world, A), suppressedIn(world, MAIN)]).toEqual([[], []]);
});

test('D-12: a deletion goes on when its source is deleted, by the next process too', async () => {
  const place = newPlace();
  const first = await startWorld(place);
  await first.ingest(A, { userId: 'u1' }, { userId: 'u2' });
  await first.ingest(B, { userId: 'u3' });
  const waiting = await first.regulateIn(A, 'Delete', ['u1'], false);
  const running = await first.regulateIn(A, 'Delete', ['u2'], false);
  await first.config.update('regulations', running, (one) => ({
    ...one,
    overall_status: 'RUNNING',
    source_status: [{ source_name: A, status: 'RUNNING' }],
  }));
  await first.config.remove('sources', A);
  await first.end();
  const second = await openWorld(place);
  second.runner.start();
  await second.runner.idle();
  expect(await second.logged(A)).toEqual([]);
  expect(await second.logged(B)).toEqual(['u3']);
  expect(second.sent()).toEqual([]);
  for (const name of [waiting, running])
    expect(await second.config.get('regulations', name)).toMatchObject({
      overall_status: 'FINISHED',
      source_status: [{ source_name: A, status: 'FINISHED' }],
    });
});

test('D-12: a deletion in a workspace deletes what sources sent that are deleted by now', async () => {
  const world = await startWorld();
  await world.ingest(A, { userId: 'u1' });
  await world.ingest(B, { userId: 'u1' }, { userId: 'u2' });
  await world.config.remove('sources', A);
  await world.regulate('Delete_Internal', ['u1']);
  await world.runner.idle();
  expect(await world.logged(A)).toEqual([]);
  expect(await world.logged(B)).toEqual(['u2']);
});

test('D-12: a source that gets the name of a deleted one is held to its suppressions', async () => {
  const world = await startWorld();
  await world.regulateIn(A, 'Suppress', ['u1']);
  await world.runner.idle();
  await world.config.remove('sources', A);
  await world.config.create('sources', source('main', 'a'));
  expect(await world.ingest(A, { userId: 'u1' })).toBe(0);
  await world.regulateIn(A, 'Unsuppress', ['u1'], false);
  expect(suppressedIn(world, A)).toEqual([]);
});

test('D-12: a regulation that an earlier version stored holds for the whole workspace', async () => {
  const world = await startWorld();
  const name = await world.regulate('Suppress_With_Delete', ['u1'], false);
  expect(await world.config.get('regulations', name)).not.toHaveProperty('source_name');
  expect([await world.ingest(A, { userId: 'u1' }), await world.ingest(B, { userId: 'u1' })]).toEqual([0, 0]);
});

test('D-12: suppression in a source outlives the process, and goes when it is cancelled', async () => {
  const place = newPlace();
  const first = await startWorld(place);
  const name = await first.regulateIn(A, 'Suppress', ['u1'], false);
  await first.end();
  const second = await openWorld(place);
  expect([suppressedIn(second, A), suppressedIn(second, B)]).toEqual([['u1'], []]);
  await second.config.remove('regulations', name);
  expect(suppressedIn(second, A)).toEqual([]);
});
