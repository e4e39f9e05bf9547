import { expect, test } from 'vitest';
import { loadDocument, operationsOf } from '../../server/http/document.ts';
import { apiCommands } from '../contract/api-commands.ts';
import { shortName, targetOf } from '../contract/target.ts';
import { flagOf } from '../contract/values.ts';

const DOCUMENT = loadDocument('config-api');
const COMMANDS = apiCommands(DOCUMENT);

function command(noun: string, verb: string) {
  const found = COMMANDS.find((one) => one.noun === noun && one.verb === verb);
  if (found === undefined) throw new Error(`no command ${noun} ${verb}`);
  return found;
}

test('every operation of the Config API has a command, but the second way to an update', () => {
  const reached = COMMANDS.flatMap(({ operations }) => operations.map(({ id }) => id));
  const wanted = operationsOf(DOCUMENT).filter(({ method }) => method !== 'put');
  // They come in pieces, and have commands of their own: events tail, backup.
  const written = ['streamAcceptedEvents', 'downloadBackup'];
  expect([...reached, ...written].toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
});

test('commands are named after resources and what is done with them', () => {
  const names = COMMANDS.map(({ noun, verb }) => `${noun} ${verb}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      'access-tokens create',
      'destinations rotate-secret',
      'deliveries replay',
      'source-connections delete',
      'source-regulations cancel',
      'catalog-sources list',
      'delivery-metrics get-summary',
      'filters preview',
      'shapes preview',
      'schema-config update',
    ]),
  );
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

test('no field of the contract hides a flag that every command has', () => {
  const own = ['--url', '--token', '--workspace', '--json', '--file', '--help'];
  const flags = COMMANDS.flatMap(({ body, query }) => Object.keys({ ...body?.fields, ...query }).map(flagOf));
  expect(flags.filter((flag) => own.includes(flag))).toEqual([]);
});

test.each([
  ['sources', 'get', 'web', { workspace: 'main', source: 'web' }],
  ['sources', 'get', 'workspaces/other/sources/web', { workspace: 'other', source: 'web' }],
  ['destinations', 'list', 'web', { workspace: 'main', source: 'web' }],
  ['destinations', 'create', 'web/webhooks', { workspace: 'main', source: 'web', destination: 'webhooks' }],
  ['workspaces', 'get', 'other', { workspace: 'other' }],
  ['access-tokens', 'delete', 'access-tokens/7', { access_token: '7' }],
  ['quota', 'get', 'workspaces/other', { workspace: 'other' }],
  ['schema-config', 'get', 'web', { workspace: 'main', source: 'web' }],
  ['profiles', 'delete', 'google/17/é x', { workspace: 'main', user: 'google/17/é x' }],
  ['profiles', 'get', 'workspaces/other/profiles/a/b', { workspace: 'other', user: 'a/b' }],
  ['audience-members', 'get', 'aud_1/a/b', { workspace: 'main', audience: 'aud_1', user: 'a/b' }],
  [
    'filters',
    'get',
    'web/webhooks/df_1',
    { workspace: 'main', source: 'web', destination: 'webhooks', filter: 'df_1' },
  ],
])('%s %s takes %s', (noun, verb, name, ids) => {
  expect(targetOf(command(noun, verb), name, 'main').ids).toEqual(ids);
});

test('the long name of a filter goes to the operation that takes it', () => {
  const name = 'workspaces/main/sources/web/destinations/webhooks/config/0a/filters/df_1';
  expect(targetOf(command('filters', 'get'), name, 'main')).toMatchObject({ name, ids: { config: '0a' } });
  expect(shortName(name, 'main')).toBe('web/webhooks/df_1');
});

test.each(['', '.', '..', '\ud800', 'workspaces/main/profiles/..'])('%j is refused as the id of a user', (name) => {
  expect(() => targetOf(command('profiles', 'get'), name, 'main')).toThrow(
    / is not a name of the form <user> or workspaces\/<workspace>\/profiles\/<user>$/,
  );
});

test.each(['', 'web/', 'a/b', '..', 'workspaces/main/sources/'])('%j is refused as the name of a source', (name) => {
  expect(() => targetOf(command('sources', 'get'), name, 'main')).toThrow(
    /is not a name of the form <source> or workspaces\/<workspace>\/sources\/<source>$/,
  );
});
