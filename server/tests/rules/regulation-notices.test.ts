import { expect, test } from 'vitest';
import { destination, source, workspace } from '../support/config-resources.ts';
import { MAIN, newPlace, openWorld } from '../support/regulation-world.ts';

const A = `${MAIN}/sources/a`;

/** How many deliveries each accept stores when so many users are deleted, of whom a source tells so many destinations. */
async function acceptsOf(users: number, destinations: number): Promise<readonly number[]> {
  const accepts: number[] = [];
  const world = await openWorld(newPlace(), {
    interposeStore: (store) => ({
      accept(request) {
        accepts.push(request.acceptances.reduce((sum, { routes }) => sum + routes.length, 0));
        return store.accept(request);
      },
    }),
  });
  await world.config.create('workspaces', workspace('main'));
  await world.config.create('sources', source('main', 'a'));
  const made = { config: [], enabled: true, catalog_name: 'catalog/destinations/webhooks' };
  for (let at = 0; at < destinations; at += 1)
    await world.config.create('destinations', { ...destination(A, `webhooks-${at}`), ...made });
  const ids = Array.from({ length: users }, (_, at) => `u${at}`);
  await world.regulate('Delete', ids);
  await world.runner.idle();
  expect(new Set(world.sent()).size).toBe(users);
  return accepts;
}

test('SAFE-2: a deletion is told to many destinations of a source some at a time', async () => {
  const accepts = await acceptsOf(60, 60);
  expect(accepts.reduce((sum, deliveries) => sum + deliveries, 0)).toBe(60 * 60);
  expect(Math.max(...accepts)).toBeLessThanOrEqual(500);
});

test('SAFE-2: a deletion is told to more destinations than are told at a time one user after the other', async () => {
  expect(await acceptsOf(2, 501)).toEqual([501, 501]);
});
