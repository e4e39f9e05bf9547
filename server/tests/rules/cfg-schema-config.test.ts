import { expect, test } from 'vitest';
import { startConfigApi, withSource } from '../support/config-api.ts';

const PATH = '/workspaces/main/sources/js/schema-config';

const FLAGS = [
  'allow_unplanned_track_events',
  'allow_unplanned_identify_traits',
  'allow_unplanned_group_traits',
  'allow_unplanned_track_event_properties',
  'allow_track_event_on_violations',
  'allow_identify_traits_on_violations',
  'allow_group_traits_on_violations',
  'allow_track_properties_on_violations',
];
const FORWARDS = ['forwarding_blocked_events_to', 'forwarding_violations_to'];
const MODES = [
  ['common_track_event_on_violations', 'OMIT_PROPERTIES'],
  ['common_identify_event_on_violations', 'OMIT_TRAITS'],
  ['common_group_event_on_violations', 'OMIT_TRAITS'],
] as const;

/** What a source shows before anything was changed. */
const DEFAULTS = {
  name: 'workspaces/main/sources/js/schema-config',
  parent: 'workspaces/main/sources/js',
  ...Object.fromEntries(FLAGS.map((field) => [field, true])),
  ...Object.fromEntries(FORWARDS.map((field) => [field, ''])),
  ...Object.fromEntries(MODES.map(([field]) => [field, 'ALLOW'])),
};

const CHANGES: readonly (readonly [field: string, value: unknown, empty: unknown])[] = [
  ...FLAGS.map((field) => [field, true, false] as const),
  ...FORWARDS.map((field) => [field, 'other', ''] as const),
  ...MODES.map(([field, mode]) => [field, mode, 'ALLOW'] as const),
];

test('a source shows the thirteen defaults of its schema', async () => {
  const api = await startConfigApi();
  await withSource(api);
  expect(CHANGES).toHaveLength(13);
  expect(await api.ok('GET', PATH)).toEqual(DEFAULTS);
});

test.each(CHANGES)('CFG-8, CFG-9, CFG-10: schema_config.%s follows the mask alone', async (field, value, empty) => {
  const api = await startConfigApi();
  await withSource(api);
  const patch = (schema_config: object, ...paths: string[]): Promise<object> =>
    api.ok('PATCH', PATH, { schema_config, update_mask: { paths } });
  expect(await patch({ [field]: value })).toEqual(DEFAULTS);
  expect(await patch({ [field]: value }, `schema_config.${field}`)).toEqual({ ...DEFAULTS, [field]: value });
  expect(await patch({}, field)).toEqual({ ...DEFAULTS, [field]: empty });
  expect(await api.ok('GET', PATH)).toEqual({ ...DEFAULTS, [field]: empty });
});

test('CFG-14: a mode that the field does not have is refused', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const schema_config = { common_track_event_on_violations: 'OMIT_TRAITS' };
  const answer = await api.call('PATCH', PATH, { schema_config, update_mask: { paths: [] } });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('OMIT_PROPERTIES') } });
});

test('a schema configuration goes with its source, and is seen nowhere else', async () => {
  const api = await startConfigApi();
  const source = await api.ok('GET', `/${await withSource(api)}`);
  await api.ok('PATCH', PATH, { schema_config: {}, update_mask: { paths: FLAGS } });
  expect(await api.ok('GET', '/workspaces/main/sources/js')).toEqual(source);
  expect(await api.ok('GET', '/workspaces/main/sources')).toMatchObject({ sources: [source] });
  await api.ok('DELETE', '/workspaces/main/sources/js');
  expect(await api.call('GET', PATH)).toMatchObject({ status: 404, body: { code: 5 } });
  await withSource(api);
  expect(await api.ok('GET', PATH)).toEqual(DEFAULTS);
});

test('a schema configuration that has changed since is a 409', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const { headers } = await api.call('GET', PATH);
  const options = { headers: { 'if-match': String(headers.get('etag')) } };
  const body = { schema_config: {}, update_mask: { paths: ['schema_config.allow_unplanned_track_events'] } };
  expect(await api.call('PATCH', PATH, body, options)).toMatchObject({ status: 200 });
  expect(await api.call('PATCH', PATH, body, options)).toMatchObject({ status: 409 });
});
