import { describe, expect, test } from 'vitest';
import { RESOURCES } from '../../config/resources.ts';
import { updateMaskPaths } from '../../config/update-mask.ts';
import { startConfigWorld } from '../support/config-world.ts';
import { contract } from '../support/config-contract.ts';

const { sources, destinations, trackingPlans } = RESOURCES;
const SOURCE = 'workspaces/main/sources/js';

describe('the update mask', () => {
  test.for([
    ['a field', destinations, { enabled: false }, undefined, ['destination.enabled']],
    [
      'several fields',
      destinations,
      { enabled: true, config: [] },
      undefined,
      ['destination.enabled', 'destination.config'],
    ],
    ['no field', destinations, {}, undefined, []],
    [
      'an undefined field',
      destinations,
      { enabled: undefined, display_name: '' },
      undefined,
      ['destination.display_name'],
    ],
    [
      'empty values',
      destinations,
      { enabled: false, display_name: '' },
      undefined,
      ['destination.enabled', 'destination.display_name'],
    ],
    [
      'a nested field',
      sources,
      { library_config: { retry_queue: true } },
      undefined,
      ['source.library_config.retry_queue'],
    ],
    [
      'several nested fields, one undefined',
      sources,
      { library_config: { api_host: '', metrics_enabled: undefined, retry_queue: false } },
      undefined,
      ['source.library_config.api_host', 'source.library_config.retry_queue'],
    ],
    ['an empty nested object', sources, { library_config: {} }, undefined, []],
    ['a map, which is one value', sources, { labels: { team: 'web' } }, undefined, ['source.labels']],
    [
      'free-form JSON, which is one value',
      trackingPlans,
      { rules: { events: [] } },
      undefined,
      ['tracking_plan.rules'],
    ],
    ['a list, which is one value', destinations, { config: [{ name: 'hooks' }] }, undefined, ['destination.config']],
    ['an explicit path without a value', destinations, {}, ['enabled'], ['destination.enabled']],
    ['an explicit path with the key in front', destinations, {}, ['destination.enabled'], ['destination.enabled']],
    ['explicit paths in place of the changes', sources, { display_name: 'JS' }, ['labels'], ['source.labels']],
    ['an explicit nested path', sources, {}, ['library_config.api_host'], ['source.library_config.api_host']],
    ['a path that is there twice', sources, {}, ['labels', 'source.labels'], ['source.labels']],
    ['explicitly no paths', sources, { display_name: 'JS' }, [], []],
  ] as const)('of %s', ([, row, changes, explicit, paths]) => {
    expect(updateMaskPaths(row, changes, explicit)).toEqual(paths);
  });

  test('the nested fields are those that the contract gives fields of their own', () => {
    for (const row of Object.values(RESOURCES)) {
      const schema = updateSchema(row.key);
      // A definition is replaced as a whole.
      const others = Object.entries(schema).filter(([name]) => !['update_mask', 'definition'].includes(name));
      const nested = others.filter(([, field]) => hasFields(field));
      expect(Object.keys(row.nested)).toEqual(nested.map(([name]) => name));
    }
  });
});

describe('an update', () => {
  test('D-3: sends the changes, and the mask beside them', async () => {
    await using world = await startConfigWorld();
    const { client, stub } = world;
    await client.sources.create({ name: SOURCE });
    const source = await client.sources.update(SOURCE, { display_name: 'Web', library_config: { retry_queue: true } });
    expect(stub.received.at(-1)).toMatchObject({
      method: 'PATCH',
      url: `/v1beta/${SOURCE}`,
      body: {
        source: { display_name: 'Web', library_config: { retry_queue: true } },
        update_mask: { paths: ['source.display_name', 'source.library_config.retry_queue'] },
      },
    });
    expect(source).toMatchObject({
      display_name: 'Web',
      library_config: { retry_queue: true, metrics_enabled: false },
    });
  });

  test('D-3: with a path and no value empties the field', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    await client.sources.create({ name: SOURCE, display_name: 'Web', labels: { team: 'web' } });
    const source = await client.sources.update(SOURCE, {}, { paths: ['display_name', 'source.labels'] });
    expect(source).toMatchObject({ display_name: '', labels: {} });
  });

  test('D-3: without changes leaves the resource as it is', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    const made = await client.sources.create({ name: SOURCE, display_name: 'Web' });
    expect(await client.sources.update(SOURCE, {})).toEqual(made);
  });

  test('a path that the API does not know is an InvalidArgument', async () => {
    await using world = await startConfigWorld();
    const { client } = world;
    await client.sources.create({ name: SOURCE });
    // @ts-expect-error -- the types refuse such a path; programs without types get this far
    const update = client.sources.update(SOURCE, { enabled: true });
    await expect(update).rejects.toMatchObject({ kind: 'InvalidArgument', status: 400, code: 3 });
  });
});

/** The fields of an update, by the contract: of the schema that the PATCH of this key has. */
function updateSchema(key: string): Record<string, unknown> {
  const name = `Update${key.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`;
  const properties = within(contract, 'components', 'schemas', name, 'properties', key, 'properties');
  if (typeof properties !== 'object' || properties === null) throw new Error(`the contract has no ${name}`);
  return { ...properties };
}

function hasFields(field: unknown): boolean {
  const reference = within(field, '$ref');
  const schema = typeof reference === 'string' ? within(contract, ...reference.replace('#/', '').split('/')) : field;
  return within(schema, 'properties') !== undefined;
}

function within(value: unknown, ...steps: readonly string[]): unknown {
  return steps.reduce((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), value);
}
