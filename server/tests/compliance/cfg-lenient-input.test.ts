import { expect, test } from 'vitest';
import { createLenientBody } from '../../resources/lenient-input.ts';
import { type Document, loadDocument, operationsOf } from '../../http/document.ts';
import { type ConfigApiServer, startConfigApi, withSource, withWebhooks } from '../support/config-api.ts';

const HOOKS = { name: 'hooks', value: [{ hook: 'https://example.com' }] };

/** What became of an update of a webhooks destination that was off. */
async function updated(body: object): Promise<Record<string, unknown>> {
  const api = await startConfigApi();
  return api.ok('PATCH', `/${await withWebhooks(api, { config: [HOOKS] })}`, body);
}

test.each(['true', true])('D-6: enabled as %j switches a destination on', async (enabled) => {
  const changed = await updated({ destination: { enabled }, update_mask: { paths: ['destination.enabled'] } });
  expect(changed).toMatchObject({ enabled: true });
});

test('D-6: a boolean in text is read as what it says', async () => {
  const api = await startConfigApi();
  const path = `/${await withWebhooks(api, { config: [HOOKS], enabled: 'true' })}`;
  expect(await api.ok('GET', path)).toMatchObject({ enabled: true });
  const off = { destination: { enabled: 'false' }, update_mask: { paths: ['enabled'] } };
  expect(await api.ok('PATCH', path, off)).toMatchObject({ enabled: false });
});

test.each(['cloud', 'Cloud', 'CLOUD'])('D-6: the connection mode %s is answered in upper case', async (mode) => {
  const body = { destination: { connection_mode: mode }, update_mask: { paths: ['destination.connection_mode'] } };
  expect(await updated(body)).toMatchObject({ connection_mode: 'CLOUD' });
});

test('D-6: camelCase fields, masks and mask paths are understood', async () => {
  const body = {
    destination: { connectionMode: 'CLOUD', displayName: 'Hooks' },
    updateMask: { paths: ['destination.connectionMode', 'displayName'] },
  };
  expect(await updated(body)).toMatchObject({ connection_mode: 'CLOUD', display_name: 'Hooks' });
});

test('D-6: a field in both spellings is read from the documented one', async () => {
  const body = { destination: { displayName: 'no', display_name: 'yes' }, update_mask: { paths: ['display_name'] } };
  expect(await updated(body)).toMatchObject({ display_name: 'yes' });
});

test.each([
  ['beside', { destination: { enabled: true, display_name: 'new' }, update_mask: 'destination.enabled, display_name' }],
  ['inside', { destination: { enabled: true, display_name: 'new', updateMask: 'enabled,destination.displayName,' } }],
])('D-6: a mask in text stands %s the resource', async (_where, body) => {
  expect(await updated(body)).toMatchObject({ enabled: true, display_name: 'new' });
});

test('D-6: null for a typed field is as good as nothing', async () => {
  const api = await startConfigApi();
  const source = { name: 'workspaces/main/sources/js', display_name: null, labels: null, library_config: null };
  const created = await api.ok('POST', '/workspaces/main/sources', { source, update_mask: null });
  expect(created).toMatchObject({ display_name: 'js', labels: {} });
  const masked = { source: { display_name: null }, update_mask: { paths: ['source.display_name'] } };
  expect(await api.ok('PATCH', '/workspaces/main/sources/js', masked)).toMatchObject({ display_name: '' });
});

test('D-6: what the document leaves open stays as it was sent', async () => {
  const api = await startConfigApi();
  const parent = await withSource(api);
  const value = { fooBar: 'true', none: null };
  const config = [{ name: 'own', type: 'mixed', value }];
  const destination = { name: `${parent}/destinations/other`, config };
  expect(await api.ok('POST', `/${parent}/destinations`, { destination })).toMatchObject({ config: [{ value }] });
  const plan = { display_name: 'x', rules: { events: [], identify_traits: null, Global: { fooBar: 'true' } } };
  expect(await api.ok('POST', '/workspaces/main/tracking-plans', { tracking_plan: plan })).toMatchObject(plan);
});

async function refusal(api: ConfigApiServer, fields: object): Promise<unknown> {
  const name = `${await withSource(api)}/destinations/webhooks`;
  const answer = await api.call('POST', '/workspaces/main/sources/js/destinations', {
    destination: { name, ...fields },
  });
  return [answer.status, answer.body['error']];
}

test.each([
  [{ enabled: 'yes' }, 'destination.enabled must be boolean, got "yes"'],
  [{ enabled: 1 }, 'destination.enabled must be boolean, got 1'],
  [{ name: null }, "destination must have required property 'name'"],
  [
    { connection_mode: 'clouds' },
    'destination.connection_mode must be one of UNSPECIFIED, CLOUD, DEVICE, got "clouds"',
  ],
])('CFG-14: %j is tolerated by no rule, and refused', async (fields, text) => {
  expect(await refusal(await startConfigApi(), fields)).toEqual([400, text]);
});

test('D-6: an example of the document is read as it stands', () => {
  const document = loadDocument('config-api');
  const read = createLenientBody(document);
  const examples = operationsOf(document).flatMap(({ bodySchema, id }) =>
    bodySchema === undefined ? [] : [{ bodySchema, body: exampleOf(document, id) }],
  );
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.map(({ bodySchema, body }) => read(bodySchema, body))).toEqual(examples.map(({ body }) => body));
});

function exampleOf({ paths }: Document, wanted: string): unknown {
  const operations = Object.values(paths).flatMap((path): unknown[] => Object.values(path));
  const operation = operations.find((one) => field(one, 'operationId') === wanted);
  const content = field(field(operation, 'requestBody'), 'content');
  return field(field(content, 'application/json'), 'example');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
