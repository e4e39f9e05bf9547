import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { source, workspace } from '../support/config-resources.ts';
import { configWorld } from '../support/config-routers.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const JS = 'workspaces/main/sources/js';
/** As each connection names it when it runs it. */
const COMMIT = '\0commit\0';

describeWithPostgres('a change of the configuration whose answer is lost', () => {
  const kept = keptPlaces();

  test('is answered when it took place, and told once', async () => {
    await using world = await configWorld(kept());
    const { store, proxy, told } = await world.open();
    await store.create('workspaces', workspace('main'));
    proxy.loseAnswerTo(COMMIT);
    expect(await store.create('sources', source('main', 'js'))).toBe('created');
    expect(told).toEqual([':workspaces/main', `workspaces/main:${JS}`]);
    expect(await store.create('sources', source('main', 'js'))).toBe('name taken');
  });

  test('leaves nothing behind when it did not take place', async () => {
    await using world = await configWorld(kept());
    const { store, proxy, told } = await world.open();
    await store.create('workspaces', workspace('main'));
    for (const text of ['config_lock', 'config_write', COMMIT]) {
      proxy.loseRequest(text);
      await expect(store.create('sources', source('main', 'js'))).rejects.toThrow(StoreUnavailable);
    }
    expect(told).toEqual([':workspaces/main']);
    expect(await store.create('sources', source('main', 'js'))).toBe('created');
  });

  test('is not taken for one that another router made meanwhile', async () => {
    await using world = await configWorld(kept());
    const [first, second] = [await world.open(), await world.open()];
    await first.store.create('workspaces', workspace('main'));
    first.proxy.loseRequest(COMMIT);
    const lost = first.store.create('sources', source('main', 'js')).catch((error: unknown) => error);
    expect(await second.store.create('sources', source('main', 'ios'))).toBe('created');
    // Whichever came first, the other one's is found by its own key.
    expect(await lost).toBeInstanceOf(StoreUnavailable);
    expect(await first.store.get('sources', JS)).toBeUndefined();
  });

  test('is of an unknown outcome while the database cannot be asked, and is heard of later', async () => {
    await using world = await configWorld(kept());
    const { store, proxy, told } = await world.open();
    await store.create('workspaces', workspace('main'));
    proxy.loseAnswerTo(COMMIT, () => proxy.refuse(true));
    await expect(store.create('sources', source('main', 'js'))).rejects.toThrow(OutcomeUnknown);
    // A connection that was open before may have heard of it by now.
    proxy.refuse(false);
    await store.refresh();
    expect(told).toEqual([':workspaces/main', `workspaces/main:${JS}`]);
  });
});
