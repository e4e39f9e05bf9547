import { expect, test } from 'vitest';
import { applyMask, readMask } from '../../resources/update-mask.ts';
import { startConfigApi, withSource, withWebhooks } from '../support/config-api.ts';

const EMPTIES = { text: '', count: 0, on: false, 'deep.a': '', 'deep.b': '', deep: { a: '', b: '' } };
const CURRENT = { name: 'x', text: 'old', count: 7, on: true, deep: { a: 'old-a', b: 'old-b' } };

function apply(paths: string[], values: object): object {
  return applyMask(CURRENT, { values, paths, empties: EMPTIES });
}

test.each([
  ['CFG-7: a listed value is set', ['text'], { text: 'new' }, { text: 'new' }],
  ['CFG-8: a listed text without a value becomes empty', ['text'], {}, { text: '' }],
  ['CFG-8: a listed number without a value becomes 0', ['count'], {}, { count: 0 }],
  ['CFG-8: a listed boolean without a value becomes false', ['on'], {}, { on: false }],
  ['CFG-8: a listed object without a value becomes empty', ['deep'], {}, { deep: { a: '', b: '' } }],
  ['CFG-9: a value without a path changes nothing', [], { text: 'new', name: 'y', other: 1 }, {}],
  ['CFG-9: a value beside a listed one changes nothing', ['count'], { count: 8, text: 'new' }, { count: 8 }],
  [
    'CFG-10: a field within an object changes alone',
    ['deep.a'],
    { deep: { a: 'n', b: 'n' } },
    { deep: { a: 'n', b: 'old-b' } },
  ],
  ['CFG-8: a field within an object becomes empty', ['deep.a'], {}, { deep: { a: '', b: 'old-b' } }],
  ['CFG-10: an object replaces the object', ['deep'], { deep: { a: 'n' } }, { deep: { a: 'n' } }],
  ['CFG-7: a path listed twice is one path', ['on', 'on'], { on: false }, { on: false }],
  [
    'CFG-8: false, 0 and "" are values',
    ['on', 'count', 'text'],
    { on: false, count: 0, text: '' },
    { on: false, count: 0, text: '' },
  ],
])('%s', (_title, paths, values, changes) => {
  const before = structuredClone(CURRENT);
  expect(apply(paths, values)).toEqual({ ...CURRENT, ...changes });
  expect(CURRENT).toEqual(before);
});

test('D-3: without paths an update is the very same object', () => {
  expect(apply([], { text: 'new' })).toBe(CURRENT);
});

test('D-3: masks beside and inside the resource count together', () => {
  const masks = [{ paths: ['thing.text'] }, undefined, { paths: ['deep.a', 'thing.on'] }, {}];
  expect(readMask({ key: 'thing', masks, empties: EMPTIES })).toEqual(['text', 'deep.a', 'on']);
});

test.each([
  'thing.nme',
  'name',
  'thing',
  '',
  'thing.',
  'thing.thing.text',
  'other.text',
  'deep.c',
  'toString',
  '__proto__',
  '*',
])('D-3: the unknown path %j is refused by its name', (path) => {
  const read = (): unknown => readMask({ key: 'thing', masks: [{ paths: ['text', path] }], empties: EMPTIES });
  expect(read).toThrow(`updates do not support ${JSON.stringify(path)}, only thing.text, thing.count`);
});

/** Every field that an update can change, a value for it, and what it becomes without one. */
const FIELDS = [
  ['source', 'display_name', 'new', ''],
  ['source', 'catalog_name', 'catalog/sources/ios', ''],
  ['source', 'labels', { team: 'a' }, {}],
  ['source', 'library_config.metrics_enabled', true, false],
  ['source', 'library_config.retry_queue', true, false],
  ['source', 'library_config.cross_domain_id_enabled', true, false],
  ['source', 'library_config.api_host', 'api.example.com', ''],
  ['destination', 'display_name', 'new', ''],
  ['destination', 'enabled', true, false],
  ['destination', 'connection_mode', 'CLOUD', 'UNSPECIFIED'],
] as const;

test.each(FIELDS)('CFG-8, CFG-9, CFG-10: %s.%s follows the mask alone', async (key, field, value, empty) => {
  const api = await startConfigApi();
  const hooks = [{ name: 'hooks', value: [{ hook: 'https://example.com/a' }] }];
  const destination = await withWebhooks(api, { config: hooks });
  const path = key === 'source' ? '/workspaces/main/sources/js' : `/${destination}`;
  const before = await api.ok('GET', path);
  const body = field.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  const unlisted = await api.ok('PATCH', path, { [key]: body, update_mask: { paths: [] } });
  expect(unlisted).toEqual(before);
  const set = await api.ok('PATCH', path, { [key]: body, update_mask: { paths: [`${key}.${field}`] } });
  expect(at(set, field)).toEqual(value);
  expect(without(set, field)).toEqual(without(before, field));
  const emptied = await api.ok('PATCH', path, { update_mask: { paths: [field] } });
  expect(at(emptied, field)).toEqual(empty);
  expect(without(emptied, field)).toEqual(without(before, field));
});

function at(resource: object, field: string): unknown {
  return field.split('.').reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), resource);
}

function without(resource: object, field: string): object {
  return JSON.parse(
    JSON.stringify({ ...resource, update_time: undefined }, (key, value: unknown) =>
      key === field.split('.').at(-1) ? undefined : value,
    ),
  );
}

test('CFG-7: the mask may stand inside the resource, as the seed shows it', async () => {
  const api = await startConfigApi();
  const path = `/${await withSource(api)}`;
  const inside = { source: { display_name: 'new', update_mask: { paths: ['source.display_name'] } } };
  expect(await api.ok('PATCH', path, inside)).toMatchObject({ display_name: 'new' });
});

test.each([
  ['no body at all', undefined],
  ['an empty object', {}],
  ['no mask', { source: { display_name: 'new' } }],
  ['an empty mask', { source: { display_name: 'new' }, update_mask: {} }],
])('D-3: an update with %s is a 200 that changes nothing', async (_what, body) => {
  const api = await startConfigApi();
  const path = `/${await withSource(api)}`;
  const before = await api.ok('GET', path);
  api.disk.written.length = 0;
  expect(await api.ok('PATCH', path, body)).toEqual(before);
  expect(api.disk.written).toEqual([]);
});

test.each(['source.name', 'source.create_time', 'source.parent', 'source.id'])(
  'CFG-14: the mask cannot name %s, which is fixed',
  async (path) => {
    const api = await startConfigApi();
    const source = await withSource(api);
    const answer = await api.call('PATCH', `/${source}`, { source: {}, update_mask: { paths: [path] } });
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
    expect(answer.body['error']).toContain(`updates do not support "${path}"`);
  },
);

test('CFG-10: concurrent updates of different fields both hold', async () => {
  const api = await startConfigApi();
  const path = `/${await withSource(api)}`;
  const fields = { display_name: 'a', catalog_name: 'b', labels: { c: 'd' } };
  const updates = Object.keys(fields).map((field) =>
    api.ok('PATCH', path, { source: fields, update_mask: { paths: [field] } }),
  );
  await Promise.all(updates);
  expect(await api.ok('GET', path)).toMatchObject(fields);
});
