import { describe, expect, test } from 'vitest';
import { contract } from '../support/config-contract.ts';
import { startConfigWorld } from '../support/config-world.ts';
import { TOKEN } from '../support/config-stub.ts';

const WORKSPACE = 'workspaces/main';
const SOURCE = `${WORKSPACE}/sources/js`;
const DESTINATION = `${SOURCE}/destinations/webhooks`;

/** The standard methods of the five resources, by the ids that the contract gives them. */
const STANDARD = /^(?:list|get|create|update|delete)(?:AccessToken|Workspace|Source|Destination|TrackingPlan)s?$/;

describe('the five resources', () => {
  test('every standard method is a request of the contract', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await client.workspaces.create({ name: WORKSPACE });
    await client.sources.create({ name: SOURCE, catalog_name: 'catalog/sources/javascript' });
    await client.destinations.create({ name: DESTINATION, enabled: true });
    const plan = await client.trackingPlans.create(WORKSPACE, { display_name: 'Plan' });
    const token = await client.accessTokens.create({ description: 'of CI', scopes: 'workspace:read' });

    expect(await Array.fromAsync(client.workspaces.list())).toMatchObject([{ name: WORKSPACE }]);
    expect(await Array.fromAsync(client.sources.list(WORKSPACE))).toMatchObject([{ name: SOURCE }]);
    expect(await Array.fromAsync(client.destinations.list(SOURCE))).toMatchObject([{ name: DESTINATION }]);
    expect(await Array.fromAsync(client.trackingPlans.list(WORKSPACE))).toEqual([plan]);
    expect(await Array.fromAsync(client.accessTokens.list())).toEqual([token]);

    expect(await client.workspaces.get(WORKSPACE)).toMatchObject({ name: WORKSPACE });
    expect(await client.sources.get(SOURCE)).toMatchObject({ parent: WORKSPACE });
    expect(await client.destinations.get(DESTINATION)).toMatchObject({ enabled: true });
    expect(await client.trackingPlans.get(plan.name)).toEqual(plan);
    expect(await client.accessTokens.get(token.name)).toEqual(token);

    expect(await client.workspaces.update(WORKSPACE, { display_name: 'M' })).toMatchObject({ display_name: 'M' });
    expect(await client.sources.update(SOURCE, { labels: { a: 'b' } })).toMatchObject({ labels: { a: 'b' } });
    expect(await client.destinations.update(DESTINATION, { enabled: false })).toMatchObject({ enabled: false });
    expect(await client.trackingPlans.update(plan.name, { rules: { x: 1 } })).toMatchObject({ rules: { x: 1 } });
    expect(await client.accessTokens.update(token.name, { description: 'd' })).toMatchObject({ description: 'd' });

    for (const [kind, name] of [
      ['destinations', DESTINATION],
      ['trackingPlans', plan.name],
      ['accessTokens', token.name],
      ['sources', SOURCE],
      ['workspaces', WORKSPACE],
    ] as const) {
      expect(await client[kind].delete(name)).toBeUndefined();
      await expect(client[kind].get(name)).rejects.toMatchObject({ kind: 'NotFound' });
    }

    const documented = Object.values(contract.paths).flatMap((path) => Object.values(path));
    const standard = documented.flatMap(({ operationId }) => operationId ?? []).filter((id) => STANDARD.test(id));
    expect(standard).toHaveLength(25);
    expect(new Set(stub.received.map(({ operationId }) => operationId))).toEqual(new Set(standard));
  });

  test('S 5.1: every request carries the token, and JSON where it has a body', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await client.workspaces.create({ name: WORKSPACE });
    await client.workspaces.get(WORKSPACE);
    await client.workspaces.delete(WORKSPACE);
    expect(stub.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    expect(stub.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      undefined,
      undefined,
    ]);
  });

  test('ids are escaped in the path, whatever they hold', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await expect(client.sources.get('workspaces/a b?c/sources/%2F#$&')).rejects.toMatchObject({ kind: 'NotFound' });
    expect(stub.received.at(-1)?.url).toBe('/v1beta/workspaces/a%20b%3Fc/sources/%252F%23%24%26');
  });

  test('a path in the baseUrl stays in front of the version', async () => {
    await using world = await startConfigWorld();
    const { connect, stub } = world;
    const client = connect({ baseUrl: `${stub.url}/waybill/` });
    await expect(client.workspaces.get(WORKSPACE)).rejects.toMatchObject({ kind: 'NotFound' });
    expect(stub.received.at(-1)?.url).toBe('/waybill/v1beta/workspaces/main');
  });

  test('a workspace with sources is removed only by force', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await client.workspaces.create({ name: WORKSPACE });
    await client.sources.create({ name: SOURCE });
    await expect(client.workspaces.delete(WORKSPACE)).rejects.toMatchObject({ kind: 'InvalidArgument' });
    await client.workspaces.delete(WORKSPACE, { force: true });
    expect(stub.received.at(-1)?.url).toBe('/v1beta/workspaces/main?force=true');
  });

  test('a fetch that is mocked after the client was made is used', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    const real = globalThis.fetch;
    const urls: string[] = [];
    globalThis.fetch = async (request) => {
      urls.push(request instanceof Request ? `${request.method} ${request.url}` : '');
      return Response.json({ name: WORKSPACE });
    };
    try {
      expect(await client.workspaces.get(WORKSPACE)).toEqual({ name: WORKSPACE });
    } finally {
      globalThis.fetch = real;
    }
    expect(urls).toEqual([expect.stringMatching(/^GET http:.*\/v1beta\/workspaces\/main$/)]);
  });
});

describe('a name that does not fit', () => {
  test('of another kind is refused before anything is sent', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await expect(client.sources.get(DESTINATION)).rejects.toThrow(
      `client.sources takes names of the form workspaces/<workspace>/sources/<source>, got "${DESTINATION}"`,
    );
    await expect(client.workspaces.update('main', {})).rejects.toThrow(TypeError);
    await expect(client.destinations.delete(SOURCE)).rejects.toThrow(TypeError);
    await expect(client.sources.create({ name: WORKSPACE })).rejects.toThrow(TypeError);
    await expect(client.trackingPlans.create(SOURCE, { display_name: '' })).rejects.toThrow(
      `client.trackingPlans takes a parent of the form workspaces/<workspace>, got "${SOURCE}"`,
    );
    expect(() => client.destinations.list(WORKSPACE)).toThrow(
      'a parent of the form workspaces/<workspace>/sources/<source>',
    );
    expect(stub.received).toEqual([]);
  });

  test('is refused also where types cannot help', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    // @ts-expect-error -- a list of sources needs a workspace
    expect(() => client.sources.list()).toThrow('a parent of the form workspaces/<workspace>, got undefined');
    // @ts-expect-error -- workspaces have no parent
    expect(() => client.workspaces.list(WORKSPACE)).toThrow('client.workspaces takes no parent, got "workspaces/main"');
    // @ts-expect-error -- a source needs a name
    await expect(client.sources.create({})).rejects.toThrow(
      'a parent of the form workspaces/<workspace>, got undefined',
    );
    // @ts-expect-error -- a resource is needed
    await expect(client.workspaces.create()).rejects.toThrow('takes an object with the fields of the resource');
    expect(stub.received).toEqual([]);
  });
});
