import { expect, test, vi } from 'vitest';
import { source, workspace } from '../support/config-resources.ts';
import { MAIN, newPlace, openWorld } from '../support/regulation-world.ts';

/** How often regulations are read while so many deletions are carried out, each in another source. */
async function readsOf(sources: number): Promise<number> {
  const world = await openWorld(newPlace());
  await world.config.create('workspaces', workspace('main'));
  const get = vi.spyOn(world.config, 'get');
  for (let at = 0; at < sources; at += 1) {
    await world.config.create('sources', source('main', `s${at}`));
    await world.regulateIn(`${MAIN}/sources/s${at}`, 'Delete_Internal', ['u1'], false);
  }
  world.runner.look('regulations');
  await world.runner.idle();
  return get.mock.calls.length;
}

test('SAFE-2: a deletion looks at those of its own scope alone, however many wait in others', async () => {
  const few = await readsOf(5);
  expect(await readsOf(50)).toBe(10 * few);
});
