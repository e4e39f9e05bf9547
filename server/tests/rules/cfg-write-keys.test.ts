import { expect, test } from 'vitest';
import { FORMER_KEYS } from '../../storage/resources/former-keys.ts';
import { type ConfigApiServer, startConfigApi, withSource } from '../support/config-api.ts';
import { sourceOfKey } from '../support/source-of-key.ts';

const MAIN = 'workspaces/main';

function create(api: ConfigApiServer, slug: string, write_keys: readonly unknown[]) {
  return api.call('POST', `/${MAIN}/sources`, { source: { name: `${MAIN}/sources/${slug}`, write_keys } });
}

function replaceKeys(api: ConfigApiServer, source: string, write_keys: unknown) {
  return api.call('PATCH', `/${source}`, { source: { write_keys }, update_mask: { paths: ['source.write_keys'] } });
}

/** More than a request may bring. */
function manyKeys(round: number): string[] {
  return Array.from({ length: 2_000 }, (_, index) => `key-${round}-${index}`);
}

test.each(['testsecret', 'x', '0123456789a', 'aB3'.repeat(9), 'id:secret', '!"#$%&()~', 'k'.repeat(128)])(
  'D-10: a create brings the key %s',
  async (key) => {
    const api = await startConfigApi();
    expect(await create(api, 'ios', [key])).toMatchObject({ status: 200, body: { write_keys: [key] } });
    expect(await sourceOfKey(api.store, key)).toMatchObject({ name: `${MAIN}/sources/ios` });
  },
);

test.each([['', 'with space', 'ümlaut', ':colon-first', 'k'.repeat(129), 'tab\t', '[redacted]', 7]].flat())(
  'D-10: a create with the key %j is refused',
  async (key) => {
    const api = await startConfigApi();
    expect(await create(api, 'ios', [key])).toMatchObject({ status: 400, body: { code: 3 } });
  },
);

test('D-10: an update replaces the list; all of it is valid, and what left it no longer is', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const { write_keys } = await api.ok('GET', `/${source}`);
  const [generated = ''] = Array.isArray(write_keys) ? write_keys.map(String) : [];
  const ten = [generated, ...Array.from({ length: 9 }, (_, index) => `key-${index}`)];
  expect(await replaceKeys(api, source, ten)).toMatchObject({ status: 200, body: { write_keys: ten } });
  for (const key of ten) expect(await sourceOfKey(api.store, key)).toMatchObject({ name: source });
  expect(await replaceKeys(api, source, ['key-3'])).toMatchObject({ status: 200, body: { write_keys: ['key-3'] } });
  const known = await Promise.all(ten.map(async (key) => (await sourceOfKey(api.store, key))?.name));
  expect(known).toEqual(ten.map((key) => (key === 'key-3' ? source : undefined)));
});

test('CFG-9: keys that are sent and not listed change nothing', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const before = await api.ok('GET', `/${source}`);
  const body = { source: { write_keys: ['other'], display_name: 'new' }, update_mask: { paths: ['display_name'] } };
  expect(await api.ok('PATCH', `/${source}`, body)).toEqual({ ...before, display_name: 'new' });
});

test.each<[what: string, keys: unknown]>([
  ['no key', []],
  ['no list', undefined],
  ['eleven keys', Array.from({ length: 11 }, (_, index) => `key-${index}`)],
  ['a key twice', ['one', 'one']],
  ['what a read-only token was shown', ['[redacted]']],
])('CFG-14: an update with %s is refused, and the keys stay', async (_what, keys) => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const before = await api.ok('GET', `/${source}`);
  expect(await replaceKeys(api, source, keys)).toMatchObject({ status: 400, body: { code: 3 } });
  expect(await api.ok('GET', `/${source}`)).toEqual(before);
});

test('D-5: keys that cannot be are refused before the source is looked for', async () => {
  const api = await startConfigApi();
  expect(await replaceKeys(api, `${MAIN}/sources/none`, [])).toMatchObject({ status: 400 });
  expect(await replaceKeys(api, `${MAIN}/sources/none`, ['key'])).toMatchObject({ status: 404 });
});

test('CFG-16: a key of another source is a 409, in a create and in an update, and nothing changes', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  await create(api, 'ios', ['ios-key']);
  const taken = {
    status: 409,
    body: {
      error:
        'a source with this write key already exists, or did in another workspace: remove it there first, and use a token that sees both',
      code: 6,
    },
  };
  expect(await create(api, 'android', ['android-key', 'ios-key'])).toMatchObject(taken);
  expect(await replaceKeys(api, source, ['js-key', 'ios-key'])).toMatchObject(taken);
  expect(await sourceOfKey(api.store, 'js-key')).toBeUndefined();
  expect(await replaceKeys(api, source, ['js-key'])).toMatchObject({ status: 200 });
});

test('CFG-16, D-10: a key that one source gave up is free for another of its workspace, and for no tenant of another one', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  await replaceKeys(api, source, ['moving', 'old', 'staying']);
  await replaceKeys(api, source, ['staying']);
  expect(await create(api, 'ios', ['moving'])).toMatchObject({ status: 200 });
  await api.ok('DELETE', `/${source}`);
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/shop' } });
  const access_token = { description: 'shop', scopes: 'workspace', workspace_names: ['workspaces/shop'] };
  const token = String((await api.ok('POST', '/access-tokens', { access_token }))['token']);
  const claim = (options?: { readonly token: string }) => {
    const claimed = { source: { name: 'workspaces/shop/sources/js', write_keys: ['staying'] } };
    return api.call('POST', '/workspaces/shop/sources', claimed, options);
  };
  expect(await claim({ token })).toMatchObject({ status: 409, body: { code: 6 } });
  // Who runs the router may move it.
  expect(await claim()).toMatchObject({ status: 200, body: { write_keys: ['staying'] } });
});

test('CFG-16, D-10: of the keys that a workspace had the latest are kept, however many they are', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  const rounds = Array.from({ length: FORMER_KEYS / 2_000 + 2 }, (_, round) => round);
  for (const round of rounds)
    await api.store.update('sources', source, (one) => ({ ...one, write_keys: manyKeys(round) }));
  const kept = await api.store.list('former-keys', MAIN, { after: 0, limit: 20_000 });
  expect(kept).toHaveLength(FORMER_KEYS);
  await api.ok('DELETE', `/${MAIN}?force=true`);
  const left = await api.store.list('former-keys', '', { after: 0, limit: 20_000 });
  expect(left).toHaveLength(1_000);
});
