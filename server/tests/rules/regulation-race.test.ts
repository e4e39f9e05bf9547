import { expect, test } from 'vitest';
import { MAIN, newPlace, openWorld, type RegulationWorld, withSources } from '../support/regulation-world.ts';

const A = `${MAIN}/sources/a`;

interface HeldWorld extends RegulationWorld {
  /** Resolves when an event has passed all checks, and waits before the store. */
  readonly reached: Promise<void>;
  readonly letGo: () => void;
}

/** A world whose events wait between the checks and the store; those of the regulation itself do not. */
async function startHeldWorld(isVersioned = true): Promise<HeldWorld> {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const world: RegulationWorld = await openWorld(newPlace(), {
    interposeStore: (store) => ({
      accept: async (request) => {
        if (request.acceptances.every(({ message }) => message.event.type === 'delete')) return store.accept(request);
        reached.resolve();
        await gate.promise;
        return store.accept(isVersioned ? request : { ...request, version: world.directory.version(MAIN) });
      },
    }),
  });
  await withSources(world);
  return { ...world, reached: reached.promise, letGo: gate.resolve };
}

async function ingestAround(world: HeldWorld): Promise<number> {
  const accepted = world.ingest(A, { userId: 'u1' }, { userId: 'u2' });
  await world.reached;
  await world.regulate('Suppress_With_Delete', ['u1']);
  await world.runner.idle();
  world.letGo();
  return accepted;
}

test('D-12: an event that was checked before a deletion was created is not stored after it was carried out', async () => {
  const world = await startHeldWorld();
  expect(await ingestAround(world)).toBe(1);
  // Of the suppressed user only the notice is there.
  expect((await world.logged(A)).toSorted()).toEqual(['u1', 'u2']);
  expect(world.sent().filter((sent) => sent.endsWith(' u1'))).not.toContain(`${A} track u1`);
  expect(world.log.lines).toContainEqual(expect.objectContaining({ fields: { source: A, drops: { suppressed: 1 } } }));
});

test('a store that takes what an older configuration let through is found out', async () => {
  const world = await startHeldWorld(false);
  expect(await ingestAround(world)).toBe(2);
  expect((await world.logged(A)).toSorted()).toEqual(['u1', 'u1', 'u2']);
  expect(world.sent()).toContain(`${A} track u1`);
});

test('D-12: an event on its way while a deletion is created is erased or dropped, whenever it comes', async () => {
  const world = await openWorld(newPlace());
  await withSources(world);
  for (let hops = 0; hops < 40; hops += 1) {
    const user = `u${hops}`;
    const created = world.regulate('Suppress_With_Delete', [user]);
    for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
    const ingested = world.ingest(A, { userId: user }, { userId: 'other' });
    await Promise.all([created, ingested]);
    await world.runner.idle();
  }
  const left = (await world.logged(A)).filter((user) => user.startsWith('u'));
  // The notices alone.
  expect(left).toEqual([...new Set(left)]);
  expect(left).toHaveLength(40);
});
