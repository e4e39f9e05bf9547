import { describe, expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { createConfigClient, webhooksConfig } from '../../config/index.ts';
import { startConfigRouter } from '../support/config-router.ts';

const FILTER = { if: 'event = "Test"', actions: [{ type: 'drop_event' as const }], enabled: true };

describe('against the router itself', () => {
  test('filters are created, listed, read, changed and removed by the names that they get', async () => {
    const { client, destination } = await startConfigRouter();
    const filter = await client.filters.create(destination, { title: 'No tests', ...FILTER });
    expect(filter.name).toMatch(new RegExp(`^${destination}/config/[0-9a-f]+/filters/df_`));
    expect(await Array.fromAsync(client.filters.list(destination, { pageSize: 1 }))).toEqual([filter]);
    const changed = await client.filters.update(filter.name, { enabled: false });
    expect(changed).toEqual({ ...filter, enabled: false });
    expect(await client.filters.get(filter.name)).toEqual(changed);
    await client.filters.delete(filter.name);
    await expect(client.filters.get(filter.name)).rejects.toMatchObject({ kind: 'NotFound' });
    await expect(client.filters.create(destination, { if: 'event =' })).rejects.toMatchObject({
      kind: 'InvalidArgument',
    });
  });

  test('the settings of webhooks are written by name, and those that are not given stay', async () => {
    const { client, destination } = await startConfigRouter();
    const hooks = [
      { hook: 'https://a.example/hooks', headers: { 'X-Team': 'web' } },
      { hook: 'https://b.example/hooks', headers: [{ key: 'X-Team', value: 'web' }] },
    ];
    await client.destinations.update(destination, { config: webhooksConfig({ hooks, sharedSecret: 'first' }) });
    const config = webhooksConfig({ sharedSecret: 'second', globalHook: 'https://c.example/hooks' });
    const changed = await client.destinations.update(destination, { config });
    const values = Object.fromEntries(changed.config.map(({ name, value }) => [name.split('/').at(-1), value]));
    expect(values).toEqual({ hooks, sharedSecret: 'second', globalHook: 'https://c.example/hooks' });
  });

  test('a setting that webhooks do not have is refused where no compiler saw it', async () => {
    const { client, destination } = await startConfigRouter();
    // @ts-expect-error -- there is no such setting
    const config = webhooksConfig({ sharedSecert: 's3cret' });
    await expect(client.destinations.update(destination, { config })).rejects.toMatchObject({
      kind: 'InvalidArgument',
      message: expect.stringContaining('did you mean sharedSecret?'),
    });
  });

  test('a secret that is undefined never ends the signing of requests', () => {
    // @ts-expect-error -- for those who compile with exactOptionalPropertyTypes
    expect(() => webhooksConfig({ sharedSecret: undefined })).toThrow('webhooksConfig: sharedSecret is undefined');
  });

  test('deliveries are found by their state, told, and sent again', async () => {
    let status = 400;
    const { world, client, destination } = await startConfigRouter(() => answers(status));
    for (const messageId of ['m1', 'm2', 'm3']) {
      await world.send({ messageId });
      await world.until('failed');
    }
    const failed = await Array.fromAsync(client.deliveries.list(destination, { state: 'failed', pageSize: 1 }));
    expect(failed.map((delivery) => delivery.message_id)).toEqual(['m3', 'm2', 'm1']);
    expect(await Array.fromAsync(client.deliveries.list(destination, { user_id: 'nobody' }))).toEqual([]);
    const name = failed[0]?.name ?? '';
    expect(await client.deliveries.get(name)).toMatchObject({
      state: 'failed',
      rounds: [{ attempts: [{ status: 400 }] }],
    });
    status = 200;
    expect(await client.deliveries.replay(name)).toMatchObject({ name, replay_count: 1 });
    await world.until('delivered');
    await expect(client.deliveries.get(`${destination}/deliveries/99`)).rejects.toMatchObject({ kind: 'NotFound' });
  });

  test('replays are begun, watched and cancelled', async () => {
    const { world, client, destination } = await startConfigRouter(() => answers(400));
    await world.send({});
    await world.until('failed');
    const replay = await client.replays.create(destination, { filter: { state: 'failed' }, dry_run: true });
    expect(replay).toMatchObject({ dry_run: true, per_second: 50 });
    await expect.poll(() => client.replays.get(replay.name)).toMatchObject({ state: 'finished', matched: 1 });
    const { name } = await client.replays.create(destination);
    await client.replays.cancel(name);
    const names = await Array.fromAsync(client.replays.list(destination), (each) => each.name);
    expect(names).toEqual([replay.name, name]);
  });

  test('metrics tell what deliveries came to', async () => {
    const { world, client, destination } = await startConfigRouter();
    await world.send({});
    await world.until('delivered');
    expect(await client.metrics.summary(destination)).toMatchObject({ successes: 1, failures: 0 });
    const metrics = await client.metrics.list(destination);
    expect(metrics.map(({ name }) => name)).toContain(`${destination}/metrics/successes`);
    const { unit, points } = await client.metrics.get(`${destination}/metrics/successes`);
    expect({ unit, values: points.map(({ value }) => value) }).toEqual({ unit: 'count', values: [1] });
    const [from, to] = ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'];
    expect(await client.metrics.get(`${destination}/metrics/successes`, { from, to })).toMatchObject({
      points: [],
    });
  });

  test('regulations are made, listed by type, and cancelled; suppressed users are listed', async () => {
    const { client, workspace } = await startConfigRouter();
    const suppression = await client.regulations.create(workspace, {
      regulation_type: 'Suppress',
      attributes: { name: 'userId', values: ['user-1', 'user-2'] },
    });
    expect(suppression).toMatchObject({ parent: workspace, regulation_type: 'Suppress' });
    const users = await Array.fromAsync(client.suppressedUsers.list(workspace, { pageSize: 1 }));
    expect(users.map(({ user_id }) => user_id).toSorted()).toEqual(['user-1', 'user-2']);
    const listed = (regulation_types: string) =>
      Array.fromAsync(client.regulations.list(workspace, { regulation_types }));
    expect(await listed('Suppress')).toEqual([suppression]);
    expect(await listed('Delete')).toEqual([]);
    expect(await client.regulations.get(suppression.name)).toEqual(suppression);
    await client.regulations.delete(suppression.name);
  });

  test('regulations of one source are made, listed and cancelled by its name', async () => {
    const { client, workspace, source } = await startConfigRouter();
    const attributes = { name: 'userId' as const, values: ['user-1'] };
    const regulation = await client.regulations.create(source, { regulation_type: 'Suppress', attributes });
    expect(regulation).toMatchObject({ parent: workspace, source_name: source });
    expect(await Array.fromAsync(client.regulations.list(source))).toMatchObject([{ name: regulation.name }]);
    const idsIn = (scope: string) => Array.fromAsync(client.suppressedUsers.list(scope), ({ user_id }) => user_id);
    expect([await idsIn(source), await idsIn(workspace)]).toEqual([['user-1'], []]);
    expect(await client.regulations.get(regulation.name)).toEqual(regulation);
    await client.regulations.deleteAll(source);
    expect(await Array.fromAsync(client.regulations.list(source))).toEqual([]);
    expect(() => client.regulations.list('main')).toThrow(
      'client.regulations.list takes names of the form workspaces/<workspace> or workspaces/<workspace>/sources/<source>, got "main"',
    );
  });

  test('sources are connected to a tracking plan and disconnected, all by full names', async () => {
    const { client, workspace, source } = await startConfigRouter();
    const plan = await client.trackingPlans.create(workspace, { display_name: 'Plan' });
    const other = await client.sources.create({ name: `${workspace}/sources/other` });
    expect(await client.sourceConnections.create(plan.name, source)).toMatchObject({ source_name: source });
    await client.sourceConnections.createAll(plan.name, [other.name]);
    const names = () => Array.fromAsync(client.sourceConnections.list(plan.name), ({ source_name }) => source_name);
    expect((await names()).toSorted()).toEqual([source, other.name].toSorted());
    await client.sourceConnections.delete(plan.name, source);
    expect(await names()).toEqual([other.name]);
    const second = await client.trackingPlans.create(workspace, { display_name: 'Another' });
    await expect(client.sourceConnections.create(second.name, other.name)).rejects.toMatchObject({
      kind: 'AlreadyExists',
    });
  });

  test('the schema configuration of a source is read and changed, field by field', async () => {
    const { client, source } = await startConfigRouter();
    const name = `${source}/schema-config`;
    const before = await client.schemaConfigs.get(name);
    expect(before).toMatchObject({ name, parent: source });
    const changes = { common_track_event_on_violations: 'BLOCK', allow_unplanned_track_events: undefined } as const;
    const after = await client.schemaConfigs.update(name, changes);
    expect(after).toEqual({ ...before, common_track_event_on_violations: 'BLOCK' });
    const reset = { paths: ['common_track_event_on_violations'] as const };
    expect(await client.schemaConfigs.update(name, {}, reset)).toEqual(before);
  });

  test('the quota of a workspace is set and lifted by a limit of its own', async () => {
    const { client, workspace } = await startConfigRouter();
    const name = `${workspace}/quota`;
    expect(await client.quotas.get(name)).toMatchObject({ name, events_per_second: 0, events_per_day: 0 });
    const limited = await client.quotas.update(name, { events_per_second: 50, events_per_day: undefined });
    expect(limited).toMatchObject({ events_per_second: 50, events_per_day: 0 });
    expect(await client.quotas.update(name, { events_per_second: 0 })).toMatchObject({ events_per_second: 0 });
  });

  test('a change names the state that it was decided on, and is refused where somebody was faster', async () => {
    const { client, source, workspace } = await startConfigRouter();
    const { resource, etag } = await client.sources.getTagged(source);
    expect(resource).toEqual(await client.sources.get(source));
    await client.sources.update(source, { labels: { team: 'web' } }, { ifMatch: etag });
    const stale = { ifMatch: etag };
    const late = client.sources.update(source, { labels: { team: 'ios' } }, stale);
    await expect(late).rejects.toMatchObject({ kind: 'AlreadyExists', status: 409 });
    await expect(client.sources.delete(source, stale)).rejects.toMatchObject({ kind: 'AlreadyExists' });
    await expect(client.workspaces.delete(workspace, { ...stale, force: true })).rejects.toMatchObject({ status: 409 });
    const fresh = await client.sources.getTagged(source);
    expect(fresh.resource.labels).toEqual({ team: 'web' });
    await client.sources.delete(source, { ifMatch: fresh.etag });
    await expect(client.sources.get(source)).rejects.toMatchObject({ kind: 'NotFound' });
  });

  test('the one resource of a source or a workspace has a tag as well', async () => {
    const { client, source, workspace } = await startConfigRouter();
    const config = await client.schemaConfigs.getTagged(`${source}/schema-config`);
    const block = { common_track_event_on_violations: 'BLOCK' } as const;
    await client.schemaConfigs.update(config.resource.name, block, { ifMatch: config.etag });
    const again = client.schemaConfigs.update(config.resource.name, block, { ifMatch: config.etag });
    await expect(again).rejects.toMatchObject({ status: 409 });
    const quota = await client.quotas.getTagged(`${workspace}/quota`);
    await client.quotas.update(quota.resource.name, { events_per_second: 5 }, { ifMatch: quota.etag });
    const lifted = client.quotas.update(quota.resource.name, { events_per_second: 0 }, { ifMatch: quota.etag });
    await expect(lifted).rejects.toMatchObject({ status: 409 });
  });

  test('a state without a tag, as it is shown to tokens that only read, is told as such', async () => {
    const { world, client, source } = await startConfigRouter();
    const reading = { description: 'reads', scopes: 'workspace:read' } as const;
    const { token = '' } = await client.accessTokens.create(reading);
    const reader = createConfigClient({ baseUrl: world.api.url, token });
    await expect(reader.sources.getTagged(source)).rejects.toMatchObject({
      kind: 'UnexpectedAnswer',
      message: expect.stringContaining('it has no ETag: tokens that only read get none'),
    });
  });

  test('the catalog and dropped events are read', async () => {
    const { client, source } = await startConfigRouter();
    const sources = await Array.fromAsync(client.catalogSources.list({ pageSize: 3 }));
    expect(sources.length).toBeGreaterThan(3);
    expect(await client.catalogSources.get(sources[0]?.name ?? '')).toEqual(sources[0]);
    const destinations = await Array.fromAsync(client.catalogDestinations.list());
    expect(destinations).toContainEqual(await client.catalogDestinations.get('catalog/destinations/webhooks'));
    expect(await client.droppedEvents.get(source)).toMatchObject({ counts: [], dropped_events: [] });
    expect(await client.violations.get(source)).toMatchObject({ counts: [], violations: [] });
  });
});
