import { expect, test } from 'vitest';
import { openDirectory } from '../../directory/directory.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import { type ConfigRouter, configWorld } from '../support/config-routers.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const MAIN = 'workspaces/main';
const JS = `${MAIN}/sources/js`;
const POLL = { interval: 10 };

function renamed(display_name: string) {
  return <R extends object>(current: R): R => ({ ...current, display_name });
}

/** All that stands, as a router that was opened now would see it. */
async function seenBy({ store }: Pick<ConfigRouter, 'store'>): Promise<unknown[]> {
  const seen = new Map<string, unknown>();
  const stop = await store.watch(({ workspace: home, version, changes }) => {
    // The root's version is only ever compared with itself.
    seen.set(`version of ${home}`, home === '' ? 0 : version);
    for (const { name, row } of changes) seen.set(name, row?.resource);
  });
  stop();
  return [...seen].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

describeWithPostgres('what routers hear of each other through PostgreSQL', () => {
  const kept = keptPlaces();

  test('NODE-5: a router that does not ask hears of a change as soon as it is committed', async () => {
    await using world = await configWorld(kept());
    const [first, second] = [await world.open(), await world.open()];
    await first.store.create('workspaces', workspace('main'));
    await first.store.create('sources', source('main', 'js'));
    await expect.poll(() => second.told, POLL).toEqual([`:${MAIN}`, `${MAIN}:${JS}`]);
    await second.store.remove('sources', JS);
    await expect.poll(() => first.told.at(-1), POLL).toBe(`${MAIN}:-${JS}`);
    expect(first.versions).toEqual(second.versions);
  });

  test('NODE-5: a router that is never notified looks each second', async () => {
    await using world = await configWorld(kept());
    const [first, deaf] = [await world.open(), await world.open({ isDeaf: true })];
    await expect.poll(() => deaf.ran.length, POLL).toBe(1);
    await first.store.create('workspaces', workspace('main'));
    expect(deaf.told).toEqual([]);
    deaf.tick();
    await expect.poll(() => deaf.told, POLL).toEqual([`:${MAIN}`]);
  });

  test('NODE-5: what was changed while nobody listened is heard once somebody does again', async () => {
    await using world = await configWorld(kept());
    const [first, second] = [await world.open(), await world.open()];
    await expect.poll(() => second.listens(), POLL).toBe(1);
    second.loseListener();
    await first.store.create('workspaces', workspace('main'));
    await expect
      .poll(() => {
        second.tick();
        return [second.listens(), second.told];
      }, POLL)
      .toEqual([2, [`:${MAIN}`]]);
    await first.store.create('sources', source('main', 'js'));
    await expect.poll(() => second.told, POLL).toEqual([`:${MAIN}`, `${MAIN}:${JS}`]);
  });

  test('D-64: a router that was cut off says so once, and hears of everything when it is back', async () => {
    await using world = await configWorld(kept());
    const [first, second] = [await world.open(), await world.open()];
    await expect.poll(() => second.ran.length, POLL).toBe(1);
    await first.store.create('workspaces', workspace('main'));
    await expect.poll(() => second.told, POLL).toEqual([`:${MAIN}`]);
    second.proxy.refuse(true);
    await expect(second.store.get('workspaces', MAIN)).rejects.toThrow('cannot be reached');
    await expect
      .poll(() => {
        second.tick();
        return second.ran.length;
      }, POLL)
      .toBeGreaterThan(4);
    await first.store.create('sources', source('main', 'js'));
    second.proxy.refuse(false);
    await expect
      .poll(() => {
        second.tick();
        return second.told;
      }, POLL)
      .toEqual([`:${MAIN}`, `${MAIN}:${JS}`]);
    expect(second.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('a router that is further behind than changes are kept hears of what is different', async () => {
    await using world = await configWorld(kept());
    const [first, second] = [await world.open(), await world.open({ isDeaf: true })];
    const { store } = first;
    for (const [slug, id] of [['main', '00000000aa'] as const, ['gone', '00000000bb'] as const]) {
      await store.create('workspaces', workspace(slug, id));
      for (const name of ['js', 'old', 'same']) await store.create('sources', source(slug, name));
    }
    await second.store.refresh();
    const directory = await openDirectory(second.store, newEvaluation());
    second.told.splice(0);
    await store.update('sources', JS, (one) => ({ ...one, write_keys: ['new'] }));
    await store.create('destinations', destination(JS));
    await store.remove('sources', `${MAIN}/sources/old`);
    await store.create('sources', source('main', 'later'));
    await store.remove('workspaces', 'workspaces/gone');
    await store.create('workspaces', workspace('next', '00000000cc'));
    await world.database.run(script('DELETE FROM config_changes'));
    await second.store.refresh();
    // Where former write keys stand is random.
    expect(second.told.filter((one) => !one.includes('former-keys/'))).toEqual([
      ':-workspaces/gone',
      ':removed-workspaces/gone',
      ':workspaces/next',
      `${MAIN}:-${MAIN}/sources/old`,
      `${MAIN}:${JS}`,
      `${MAIN}:${JS}/destinations/webhooks`,
      `${MAIN}:${MAIN}/sources/later`,
    ]);
    expect(await seenBy(second)).toEqual(await seenBy(await world.open()));
    const named = ['new', 'key-main-js', 'key-gone-same'].map((key) => directory.sourceByWriteKey(key)?.name);
    expect(named).toEqual([JS, undefined, undefined]);
    expect(await second.store.create('sources', source('main', 'ios', 'key-gone-same'))).toBe('created');
    await store.update('sources', JS, renamed('after'));
    await second.store.refresh();
    expect(second.told.at(-1)).toBe(`${MAIN}:${JS}`);
  });

  test('SAFE-2: of large resources few are read at once, by who is behind and by who starts', async () => {
    await using world = await configWorld(kept());
    const [first, behind] = [await world.open(), await world.open({ isDeaf: true })];
    await first.store.create('workspaces', workspace('main'));
    await behind.store.refresh();
    behind.rows.splice(0);
    await world.database.run(
      script(`
        INSERT INTO resources SELECT '${MAIN}/large/' || g, 'large', '${MAIN}', 7, to_json(repeat('x', 4000000))
          FROM generate_series(1, 12) g;
        INSERT INTO config_changes SELECT 1 + row_number() OVER (), 1, gen_random_uuid(), home, kind, name, sequence, body
          FROM resources WHERE kind = 'large';
        UPDATE config_head SET version = 13`),
    );
    await behind.store.refresh();
    expect(behind.rows).toEqual([5, 5, 2]);
    await world.database.run(script('DELETE FROM config_changes'));
    await world.database.run(script('UPDATE config_head SET version = 14'));
    await behind.store.refresh();
    expect(Math.max(...behind.rows)).toBeLessThan(10);
  });

  test('a router whose database was restored to an earlier state goes back with it', async () => {
    await using world = await configWorld(kept());
    const router = await world.open({ isDeaf: true });
    await router.store.create('workspaces', workspace('main'));
    await router.store.create('sources', source('main', 'js'));
    await world.database.run(
      script(`UPDATE config_head SET version = 1; DELETE FROM config_changes WHERE version > 1;
        DELETE FROM resources WHERE kind = 'sources'; DELETE FROM config_versions`),
    );
    expect(await router.store.get('sources', JS)).toBeUndefined();
    expect(router.told.at(-1)).toBe(`${MAIN}:-${JS}`);
    expect(await router.store.create('sources', source('main', 'js'))).toBe('created');
  });

  test('what a newer version of the router stores besides does not disturb this one', async () => {
    await using world = await configWorld(kept());
    const first = await world.open();
    await first.store.create('workspaces', workspace('main'));
    await world.database.run(
      script(`
        INSERT INTO resources SELECT '${MAIN}/things-of-tomorrow/t1', 'things-of-tomorrow', '${MAIN}', 7, '{"name": "t1"}';
        INSERT INTO resources SELECT '${JS}', 'sources', '${MAIN}', 8, '{"name": "${JS}", "write_keys": ["k"], "new": 1}';
        INSERT INTO config_changes SELECT 2, 1, gen_random_uuid(), home, kind, name, sequence, body
          FROM resources WHERE kind = 'things-of-tomorrow';
        INSERT INTO config_changes SELECT 2, 2, gen_random_uuid(), home, kind, name, sequence, body
          FROM resources WHERE kind = 'sources';
        UPDATE config_head SET version = 2, sequence = 8`),
    );
    const opened = await world.open();
    for (const { store } of [first, opened]) {
      expect(await sourceOfKey(store, 'k')).toMatchObject({ name: JS, new: 1, display_name: 'js', labels: {} });
      await store.update('sources', JS, (one) => ({ ...one, labels: { ...one.labels, more: 'yes' } }));
    }
    expect(await first.store.get('sources', JS)).toMatchObject({ new: 1 });
  });

  test('NODE-5: however many ask for what is new, at most two queries are needed', async () => {
    await using world = await configWorld(kept());
    const router = await world.open({ isDeaf: true });
    await expect.poll(() => router.ran.length, POLL).toBe(1);
    await Promise.all(Array.from({ length: 1_000 }, () => router.store.refresh()));
    expect(router.ran).toHaveLength(2);
    await router.store.refresh();
    expect(router.ran).toHaveLength(3);
  });

  test('changes are kept for a thousand commits', async () => {
    await using world = await configWorld(kept());
    const { store } = await world.open();
    await store.create('workspaces', workspace('main'));
    await world.database.run(
      script(`INSERT INTO config_changes SELECT g, 1, gen_random_uuid(), '', 'x', 'x', 1, NULL
        FROM generate_series(2, 1010) g; UPDATE config_head SET version = 1010`),
    );
    await store.create('sources', source('main', 'js'));
    const rows = await world.database.run(script('SELECT min(version) AS first FROM config_changes'));
    expect(rows).toEqual([{ first: 12 }]);
  });
});
