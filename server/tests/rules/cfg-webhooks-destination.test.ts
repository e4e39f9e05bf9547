import { expect, test } from 'vitest';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { checkWebhooksSetting, webhooksOf } from '../../destinations/webhooks-settings.ts';
import type { Resources } from '../../model/resources.ts';
import {
  type Answer,
  type ConfigApiServer,
  refusalOf,
  startConfigApi,
  withSource,
  withWebhooks,
} from '../support/config-api.ts';

const NAME = 'workspaces/main/sources/js/destinations/webhooks';

function hooks(count: number): { name: string; value: unknown } {
  return {
    name: 'hooks',
    value: Array.from({ length: count }, (_, index) => ({ hook: `https://example.com/${index}` })),
  };
}

function patch(api: ConfigApiServer, destination: object, ...paths: string[]): Promise<Answer> {
  return api.call('PATCH', `/${NAME}`, { destination, update_mask: { paths } });
}

test.each([1, 5])('HOOK-1: %i webhooks are taken', async (count) => {
  const api = await startConfigApi();
  await withWebhooks(api, { enabled: true, config: [hooks(count)] });
  const { webhooks } = webhooksOf((await api.store.get('destinations', NAME)) ?? { config: [] });
  expect(webhooks).toHaveLength(count);
});

test('HOOK-1: a sixth webhook is refused on create and update', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const error = 'destination.config[0].value[5] is one too many: a destination holds at most 5 webhooks';
  const create = { destination: { name: NAME, config: [hooks(6)] } };
  const created = await api.call('POST', '/workspaces/main/sources/js/destinations', create);
  expect(created).toMatchObject({ status: 400, body: { error, code: 3 } });
  await api.ok('POST', '/workspaces/main/sources/js/destinations', { destination: { name: NAME, config: [hooks(5)] } });
  expect(await patch(api, { config: [hooks(6)] }, 'config')).toMatchObject({ status: 400, body: { error } });
  const global = { name: 'globalHook', value: 'https://example.com/global' };
  const sixth = await patch(api, { config: [global] }, 'config');
  expect(sixth).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('hooks and globalHook are 6 webhooks') },
  });
});

test('HOOK-1: one without webhooks can be made, and not switched on', async () => {
  const api = await startConfigApi();
  await withWebhooks(api);
  const refused = await patch(api, { enabled: true }, 'destination.enabled');
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('there is no webhook yet') } });
  const together = await patch(api, { enabled: true, config: [hooks(1)] }, 'destination.config', 'destination.enabled');
  expect(together).toMatchObject({ status: 200, body: { enabled: true } });
  expect(await patch(api, {}, 'destination.config')).toMatchObject({ status: 400 });
  const both = await patch(api, {}, 'destination.config', 'destination.enabled');
  expect(both).toMatchObject({ status: 200, body: { enabled: false } });
});

test('HOOK-1: the single global hook counts as a webhook', async () => {
  const api = await startConfigApi();
  await withWebhooks(api, { enabled: true, config: [{ name: 'globalHook', value: 'http://example.com/global' }] });
  const stored = (await api.store.get('destinations', NAME)) ?? { config: [] };
  expect(webhooksOf(stored).webhooks).toEqual([{ url: 'http://example.com/global', headers: {} }]);
});

test.each([
  'https://example.com',
  'HTTP://Example.com:8080/a?b=c#d',
  'http://93.184.215.14:9000/hook',
  'https://[2606:4700:4700::1111]/x',
  'https://localhost.example/x',
  'https://münchen.example/ü',
])('HOOK-2: the URL %s is taken', async (url) => {
  expect(await refusalOf({ hook: url })).toBe(200);
});

test.each([
  'ftp://example.com',
  'javascript:alert(1)',
  'example.com/hook',
  '//example.com/hook',
  '/hook',
  'http:example.com',
  'http:/example.com',
  'http://',
  'https://?x',
  'http:\\\\example.com',
  ' https://example.com',
  'https://example.com/a b',
  'https://exa mple.com',
  'https://example.com\n',
  'https://example.com:99999',
  'https://[::1',
  '',
])('HOOK-2: the URL %j is refused with its place', async (url) => {
  expect(await refusalOf({ hook: url })).toContain(
    'destination.config[0].value[1].hook must be a full http or https URL, got ',
  );
});

test.each(['https://example.com/\0', 'https://example.com/a\u007f', 'https://example.com/\u001b[2J'])(
  'HOOK-2: the URL %j is refused for its control character, and one that is stored still works',
  async (url) => {
    expect(await refusalOf({ hook: url })).toBe(
      'destination.config[0].value[1].hook holds a control character: write it in percent-encoding',
    );
    const entry = { name: `${NAME}/config/globalHook`, display_name: '', type: 'string' as const, value: url };
    expect(webhooksOf({ config: [entry] }).webhooks).toMatchObject([{ url }]);
  },
);

test.each([
  [' https://hooks.example.com/services/s3cret', 'a text that begins with " https://hooks.example.com"'],
  ['hooks.example.com/s3cret', 'a text that begins with "hooks.example.com"'],
  ['ftp://user:s3cret@example.com/', 'a text that begins with "ftp:/"'],
  ['https://exa mple.com/?key=s3cret', 'a text that begins with "https://exa"'],
  ['ftp://example.com', '"ftp://example.com"'],
])('SAFE-3: of the URL %j only scheme and host are shown again', async (url, seen) => {
  const place = 'destination.config[0].value[1].hook';
  expect(await refusalOf({ hook: url })).toBe(`${place} must be a full http or https URL, got ${seen}`);
});

test.each([
  ['http://10.0.0.1/hook?key=s3cret', '10.0.0.1, a private address'],
  ['https://127.0.0.1:9000', '127.0.0.1, a loopback address'],
  ['http://2130706433/', '127.0.0.1, a loopback address'],
  ['http://0x7f.1/', '127.0.0.1, a loopback address'],
  ['http://0177.0.0.1/', '127.0.0.1, a loopback address'],
  ['http://169.254.169.254/latest', '169.254.169.254, a link-local address'],
  ['http://[::1]/', '::1, a loopback address'],
  ['http://[::ffff:10.0.0.1]/', 'a private address'],
  ['http://[fd00::1]/', 'fd00::1, a unique local address'],
  ['http://[64:ff9b::a00:1]/', 'an IPv4 address behind NAT64'],
])('D-28: the address in %s is refused when it is set, with the way out', async (url, words) => {
  for (const refusal of [
    await refusalOf({ hook: url }),
    await refusalOf({ hook: url }, [{ name: 'globalHook', value: url }]),
  ]) {
    expect(refusal).toMatch(/^destination\.config\[0\]\.value(\[1\]\.hook)? leads to /);
    expect(refusal).toContain(words);
    expect(refusal).toContain('those that WAYBILL_ALLOW_NETWORKS (--allow-networks) names');
    expect(refusal).not.toContain('s3cret');
  }
});

test('D-28: an address that the operator allows can be set', () => {
  const value = [{ hook: 'http://10.1.2.3/' }];
  const check = (...networks: string[]) => checkWebhooksSetting('hooks', value, createAddressGuard(networks));
  expect(() => check('10.1.0.0/16')).not.toThrow();
  expect(() => check('10.2.0.0/16')).toThrow('leads to 10.1.2.3');
});

test('HOOK-2: a URL with credentials is refused, and not shown again', async () => {
  expect(await refusalOf({ hook: 'https://user:secret@example.com' })).toBe(
    'destination.config[0].value[1].hook must not hold a user name or password: put them into a header',
  );
});

test.each([
  ['no hook', {}, 'destination.config[0].value[1].hook must be a string'],
  ['a number', { hook: 7 }, 'destination.config[0].value[1].hook must be a string'],
  ['a text', 'https://example.com', 'destination.config[0].value[1] must be an object'],
  ['null', null, 'destination.config[0].value[1] must be an object'],
])('HOOK-2: a webhook that is %s is refused', async (_what, hook, text) => {
  expect(await refusalOf(hook)).toContain(text);
});

test('HOOK-17: device mode is refused', async () => {
  const api = await startConfigApi();
  await withWebhooks(api);
  const refused = await patch(api, { connection_mode: 'DEVICE' }, 'destination.connection_mode');
  expect(refused).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('destination.connection_mode') },
  });
  expect(await patch(api, { connection_mode: 'CLOUD' }, 'connection_mode')).toMatchObject({ status: 200 });
  expect(await patch(api, { connection_mode: 'WEB' }, 'connection_mode')).toMatchObject({ status: 400 });
});

test('webhooksOf reads a destination that has no settings', () => {
  const bare: Pick<Resources['destinations'], 'config'> = { config: [] };
  expect(webhooksOf(bare)).toEqual({ webhooks: [], sharedSecret: '', signature: 'x-signature' });
});
