import { expect, test } from 'vitest';
import { loadDocument, type Operation, operationsOf } from '../../http/document.ts';
import { hashToken } from '../../resources/callers.ts';
import { type Answer, type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const OPERATIONS = operationsOf(loadDocument('config-api'));
const NAMED = OPERATIONS.filter(({ template }) => template.includes('{'));
const HOME = 'workspaces/main';
const SOURCE = `${HOME}/sources/own`;
const DESTINATION = `${SOURCE}/destinations/webhooks`;
const CATALOG = /^\/v1beta\/catalog\//;

interface World {
  readonly api: ConfigApiServer;
  /** Of the whole workspace, of one source, and of one destination. */
  readonly tokens: Readonly<Record<'workspace' | 'source' | 'destination', string>>;
}

async function startWorld(scopes = 'workspace'): Promise<World> {
  const api = await startConfigApi();
  for (const source of [SOURCE, `${HOME}/sources/foreign`]) {
    await api.ok('POST', `/${HOME}/sources`, { source: { name: source } });
    for (const slug of ['webhooks', 'foreign'])
      await api.ok('POST', `/${source}/destinations`, {
        destination: { name: `${source}/destinations/${slug}`, enabled: false },
      });
  }
  const issue = async (fields: object): Promise<string> => {
    const access_token = { description: 'portal', scopes, ...fields };
    return String((await api.ok('POST', '/access-tokens', { access_token }))['token']);
  };
  const tokens = {
    workspace: await issue({ workspace_names: [HOME] }),
    source: await issue({ resource_names: [SOURCE] }),
    destination: await issue({ resource_names: [DESTINATION] }),
  };
  return { api, tokens };
}

type Ids = Readonly<Record<string, string>>;
const OWN: Ids = { workspace: 'main', source: 'own', destination: 'webhooks' };

function pathOf({ template, parameters }: Operation, ids: Ids): string {
  const examples = new Map<string, unknown>(parameters.map((one) => [one.name, Reflect.get(one, 'example')]));
  const value = (name: string): string => {
    const example = ids[name] ?? examples.get(name);
    return typeof example === 'string' ? example : 'x1';
  };
  return template.slice('/v1beta'.length).replaceAll(/\{(\w+)\}/g, (_all, name: string) => value(name));
}

/** Bodies are no JSON, so that nothing is changed. */
function ask({ api }: World, operation: Operation, ids: Ids, token: string): Promise<Answer> {
  const body = operation.method === 'get' || operation.bodySchema === undefined ? undefined : '{';
  return api.call(operation.method.toUpperCase(), pathOf(operation, ids), body, { token });
}

function isList(operation: Operation, collection: string): boolean {
  return operation.method === 'get' && operation.template === `/v1beta/${collection}`;
}

const SOURCES = 'workspaces/{workspace}/sources';
const DESTINATIONS = `${SOURCES}/{source}/destinations`;

/** What each token may ask for by name, told by the template alone. */
const REACH = {
  source: (operation: Operation) =>
    operation.template.startsWith(`/v1beta/${SOURCES}/{source}`) || isList(operation, SOURCES),
  destination: (operation: Operation) =>
    operation.template.startsWith(`/v1beta/${DESTINATIONS}/{destination}`) || isList(operation, DESTINATIONS),
};

test.each(['source', 'destination'] as const)(
  'CFG-26: a token of a %s is answered 404 by all operations beyond',
  async (kind) => {
    const world = await startWorld();
    const beyond = NAMED.filter((operation) => !REACH[kind](operation) && !CATALOG.test(operation.template));
    expect(beyond.length).toBeGreaterThan(30);
    for (const operation of beyond) {
      const answer = await ask(world, operation, OWN, world.tokens[kind]);
      expect([operation.id, answer.status]).toEqual([operation.id, 404]);
    }
  },
);

test.each(['source', 'destination'] as const)(
  'CFG-26: a token of a %s is answered 404 for every other one',
  async (kind) => {
    const world = await startWorld();
    const within = NAMED.filter((operation) => REACH[kind](operation) && operation.template.includes(`{${kind}}`));
    expect(within.length).toBeGreaterThan(20);
    for (const operation of within) {
      for (const foreign of [
        { ...OWN, [kind]: 'foreign' },
        { ...OWN, workspace: 'foreign' },
        { ...OWN, source: 'foreign' },
      ]) {
        const answer = await ask(world, operation, foreign, world.tokens[kind]);
        expect([operation.id, foreign, answer.status]).toEqual([operation.id, foreign, 404]);
      }
    }
  },
);

/** Streams stay open, and these would end the world. */
function endsNothing({ method, answerType, bodySchema }: Operation): boolean {
  return !answerType.includes('event-stream') && (method === 'get' || bodySchema !== undefined);
}

test.each(['source', 'destination'] as const)(
  'CFG-26: a token of a %s is answered there as one of the workspace',
  async (kind) => {
    const world = await startWorld();
    for (const operation of NAMED.filter((one) => REACH[kind](one) && endsNothing(one))) {
      const [limited, whole] = [
        await ask(world, operation, OWN, world.tokens[kind]),
        await ask(world, operation, OWN, world.tokens.workspace),
      ];
      const what = isList(operation, SOURCES) || isList(operation, DESTINATIONS) ? ['status'] : ['status', 'body'];
      const of = (answer: Answer): unknown[] => [operation.id, ...what.map((part) => Reflect.get(answer, part))];
      expect(of(limited)).toEqual(of(whole));
    }
  },
);

test.each(['source', 'destination'] as const)(
  'CFG-26: what is in no workspace shows a token of a %s nothing',
  async (kind) => {
    const world = await startWorld();
    for (const operation of OPERATIONS.filter((one) => !one.template.includes('{'))) {
      const { status, body } = await ask(world, operation, OWN, world.tokens[kind]);
      if (CATALOG.test(operation.template)) continue;
      expect([operation.id, [200, 400, 403].includes(status)]).toEqual([operation.id, true]);
      expect(JSON.stringify(body)).not.toContain('foreign');
    }
  },
);

async function names(world: World, path: string, token: string): Promise<unknown[]> {
  const body = await world.api.ok('GET', path, undefined, { token });
  const [rows] = Object.values(body).filter((value) => Array.isArray(value));
  return (rows ?? []).map((row: { readonly name: string }) => row.name);
}

test('CFG-26: lists show a limited token what it is limited to', async () => {
  const world = await startWorld();
  const { source, destination } = world.tokens;
  expect(await names(world, `/${HOME}/sources`, source)).toEqual([SOURCE]);
  expect(await names(world, `/${SOURCE}/destinations`, source)).toHaveLength(2);
  expect(await names(world, `/${SOURCE}/destinations`, destination)).toEqual([DESTINATION]);
  expect(await names(world, '/workspaces', source)).toEqual([]);
  expect(await names(world, '/access-tokens', source)).toHaveLength(1);
});

test('CFG-26: a limited token learns what it may do, makes no other, and changes what is its own', async () => {
  const { api, tokens } = await startWorld();
  const self = await api.ok('GET', '/access-tokens/self', undefined, { token: tokens.destination });
  expect(self).toMatchObject({ resource_names: [DESTINATION], workspace_names: [HOME] });
  const more = { access_token: { description: 'more', scopes: 'workspace', resource_names: [DESTINATION] } };
  expect(await api.call('POST', '/access-tokens', more, { token: tokens.destination })).toMatchObject({ status: 403 });
  const whole = { access_token: { description: 'more', scopes: 'workspace', workspace_names: [HOME] } };
  expect(await api.call('POST', '/access-tokens', whole, { token: tokens.source })).toMatchObject({ status: 403 });
  const change = { destination: { display_name: 'Mine' }, update_mask: { paths: ['destination.display_name'] } };
  expect(await api.ok('PATCH', `/${DESTINATION}`, change, { token: tokens.destination })).toMatchObject({
    display_name: 'Mine',
  });
  expect(await api.ok('DELETE', `/${DESTINATION}`, undefined, { token: tokens.destination })).toEqual({});
});

test('CFG-26: events of a limited source are forwarded to no other', async () => {
  const { api, tokens } = await startWorld();
  const schema_config = { forwarding_violations_to: 'foreign' };
  const body = { schema_config, update_mask: { paths: ['forwarding_violations_to'] } };
  const path = `/${SOURCE}/schema-config`;
  expect(await api.call('PATCH', path, body, { token: tokens.source })).toMatchObject({ status: 403 });
  expect(await api.ok('PATCH', path, body, { token: tokens.workspace })).toMatchObject(schema_config);
});

test('CFG-26: a limited token that only reads changes nothing, and is shown no secret', async () => {
  const { api, tokens } = await startWorld('workspace:read');
  const source = await api.ok('GET', `/${SOURCE}`, undefined, { token: tokens.source });
  expect(source).toMatchObject({ write_keys: ['[redacted]'] });
  const body = { source: { display_name: 'Mine' }, update_mask: { paths: ['display_name'] } };
  expect(await api.call('PATCH', `/${SOURCE}`, body, { token: tokens.source })).toMatchObject({ status: 403 });
});

test('CFG-26: a token is limited to what is there, and what its maker sees', async () => {
  const { api, tokens } = await startWorld();
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  await api.ok('POST', '/workspaces/other/sources', { source: { name: 'workspaces/other/sources/js' } });
  const make = (name: string): Promise<Answer> => {
    const access_token = { description: 'portal', scopes: 'workspace', resource_names: [name] };
    return api.call('POST', '/access-tokens', { access_token }, { token: tokens.workspace });
  };
  const missing = 'does not exist';
  for (const name of [`${HOME}/sources/gone`, `${SOURCE}/destinations/gone`, 'workspaces/other/sources/js'])
    expect(await make(name)).toMatchObject({ status: 400, body: { error: expect.stringContaining(missing) } });
  expect(await make(HOME)).toMatchObject({ status: 400 });
});

test('CFG-26: a router that knows no limits finds no limited token', async () => {
  const { api, tokens } = await startWorld();
  expect(await api.store.tokenByHash(hashToken(tokens.workspace))).toBeDefined();
  expect(await api.store.tokenByHash(hashToken(tokens.source))).toBeUndefined();
});
