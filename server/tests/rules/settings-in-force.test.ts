import { expect, test } from 'vitest';
import { readSettings, type SettingInForce, SETTINGS } from '../../settings/settings.ts';
import { HELP } from '../../settings/settings-help.ts';
import { startConfigApi } from '../support/config-api.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const TOKEN = 'the-token-of-this-test';
const FLAGS = ['--rate-limit=70', '--storage=postgres://ann:p4ssw0rd@db/waybill'];
const ENVIRONMENT = { WAYBILL_TOKEN: TOKEN, WAYBILL_SECRET_KEYS: KEY, WAYBILL_RETENTION: '3d' };

/** What is called a secret, and is none: a file or a policy. */
const NO_SECRETS = ['secret-keys-file', 'tls-key', 'unknown-keys'];

async function listed(inForce: readonly SettingInForce[]) {
  const api = await startConfigApi(undefined, { router: { name: 'router-a:7', settings: inForce } });
  return api.ok('GET', '/settings');
}

test('SAFE-3: settings are listed with the values in force, and without one of a secret', async () => {
  const answer = await listed(readSettings(FLAGS, ENVIRONMENT).inForce);
  expect(answer['node']).toBe('nodes/router-a:7');
  const settings = new Map(Array.from(Object(answer['settings']), (one) => [Object(one).name, one]));
  const given = { set: true, default: false };
  expect(settings.get('settings/rate-limit')).toMatchObject({ variable: 'WAYBILL_RATE_LIMIT', value: '70', ...given });
  expect(settings.get('settings/retention')).toMatchObject({ value: '3d', secret: false, ...given });
  expect(settings.get('settings/port')).toMatchObject({ value: '8080', set: true, default: true });
  expect(settings.get('settings/public-url')).toMatchObject({ set: false, default: true });
  expect(settings.get('settings/storage')).toMatchObject({ value: 'postgres://…', secret: true });
  for (const name of ['settings/token', 'settings/secret-keys']) {
    expect(settings.get(name)).toEqual({ name, variable: expect.any(String), secret: true, ...given });
  }
  const text = JSON.stringify(answer);
  for (const secret of ['p4ssw0rd', TOKEN, KEY]) expect(text).not.toContain(secret);
});

test('a setting that sounds like a secret is one, or is known to be none', () => {
  const rows: readonly (readonly [string, boolean | undefined])[] = Object.values(SETTINGS).map((row) => [
    row.flag,
    row.isSecret,
  ]);
  expect(unmarked(rows)).toEqual([]);
  expect(unmarked([...rows, ['admin-password', undefined]])).toEqual(['admin-password']);
});

test('every setting that help names is listed, and of the two that name the storage the one that does', () => {
  const flags = [...HELP.matchAll(/^ {2}--([a-z-]+) </gm)].map(([, flag = '']) => flag);
  expect(named().toSorted()).toEqual(flags.filter((flag) => flag !== 'data-dir').toSorted());
  expect(named('--data-dir=/srv')).toContain('data-dir');
  expect(named('--data-dir=/srv')).not.toContain('storage');
});

test('D-8: a token that is bound to workspaces sees no settings', async () => {
  const api = await startConfigApi();
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const answer = await api.call('GET', '/settings', undefined, { token: String(token) });
  expect(answer).toMatchObject({ status: 403, body: { code: 7 } });
});

function named(...args: string[]): string[] {
  return readSettings(args, {}).inForce.map(({ flag }) => flag);
}

function unmarked(rows: readonly (readonly [flag: string, isSecret: boolean | undefined])[]): string[] {
  const sounds = rows.filter(([flag]) => /token|secret|key|password/.test(flag));
  return sounds.filter(([flag, isSecret]) => isSecret !== true && !NO_SECRETS.includes(flag)).map(([flag]) => flag);
}
