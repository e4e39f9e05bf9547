import { expect, test } from 'vitest';
import { finished } from '../../model/regulation.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { destination, regulation, source, workspace } from '../support/config-resources.ts';
import { configWorld, type ConfigWorld } from '../support/config-routers.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

const MAIN = 'workspaces/main';
const DELETION = { ...regulation('main', 'd1'), regulation_type: 'Delete', known_ids: ['ada', 'ada@home'] } as const;
const TIME = new Date(0).toISOString();

/** All that is stored for routers that are behind. */
async function keptBy({ database }: ConfigWorld): Promise<string> {
  return JSON.stringify(await database.run(script('SELECT name, body FROM config_changes')));
}

describeWithPostgres('what the changes that are kept for other routers still say', () => {
  const kept = keptPlaces();

  test('AUD-9: is nothing of the users of a deletion that is over, and of those of another one all', async () => {
    await using world = await configWorld(kept());
    const [{ store }, behind] = [await world.open(), await world.open({ isDeaf: true })];
    await store.create('workspaces', workspace('main'));
    await store.create('regulations', DELETION);
    await store.create('regulations', { ...regulation('main', 'd2'), user_ids: ['bob'] });
    await store.update('regulations', DELETION.name, (one) => ({ ...one, overall_status: 'RUNNING' as const }));
    expect(await keptBy(world)).toMatch(/ada@home.*bob/);
    await store.update('regulations', DELETION.name, (one) => finished(one, TIME));
    expect(await keptBy(world)).not.toMatch(/ada|u1/);
    expect(await keptBy(world)).toContain('bob');
    await behind.store.refresh();
    expect(behind.told).toHaveLength(5);
    for (const router of [{ store }, behind]) {
      expect(await router.store.get('regulations', DELETION.name)).toEqual(finished(DELETION, TIME));
    }
  });

  test('AUD-9: is nothing of the users of a regulation that was cancelled', async () => {
    await using world = await configWorld(kept());
    const [{ store }, behind] = [await world.open(), await world.open({ isDeaf: true })];
    await store.create('workspaces', workspace('main'));
    await store.create('regulations', DELETION);
    await store.remove('regulations', DELETION.name);
    expect(await keptBy(world)).not.toContain('ada');
    await behind.store.refresh();
    expect(await behind.store.get('regulations', DELETION.name)).toBeUndefined();
  });

  test('AUD-9, CFG-9: is nothing that was below a workspace that is gone', async () => {
    await using world = await configWorld(kept());
    const [{ store }, behind] = [await world.open(), await world.open({ isDeaf: true })];
    await store.create('workspaces', workspace('main'));
    await store.create('workspaces', workspace('other'));
    await store.create('sources', source('main', 'js', 'the-key'));
    await store.create('destinations', destination(`${MAIN}/sources/js`, 'webhooks'));
    await store.create('sources', source('other', 'js', 'a-key'));
    await store.create('regulations', DELETION);
    await store.remove('workspaces', MAIN);
    const left = await keptBy(world);
    for (const gone of ['ada', 'the-key']) expect(left).not.toContain(gone);
    expect(left).toContain('a-key');
    await behind.store.refresh();
    expect(behind.told).toContain(`:-${MAIN}`);
    expect(await behind.store.list('sources', MAIN, { after: 0, limit: 10 })).toEqual([]);
  });
});
