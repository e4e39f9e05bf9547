import { expect, test } from 'vitest';
import { toApiError } from '../../http/error-answers.ts';
import { PAGE_LENGTH } from '../../resources/pages.ts';
import { type Author, HOME_LENGTH, HomeFull, RESERVE_LENGTH } from '../../storage/config-store.ts';
import { startConfigApi, withWebhooks } from '../support/config-api.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';

const MAIN = 'workspaces/main';
const FULL =
  /^workspaces\/main would hold more than 64 MB of configuration: remove what is no longer used, or shorten it$/;
/** A person, or what a person has written; without one, a change is the router's own. */
const AUTHOR: Author = {
  create_time: '2026-11-20T12:00:00.000Z',
  operation: 'createSource',
  token: 'access-tokens/1',
  token_description: 'CI',
  address: '',
};

function named(slug: string, length: number) {
  return { ...sourceNamed(`${MAIN}/sources/${slug}`, `key-${slug}`), display_name: 'x'.repeat(length) };
}

test('SAFE-2: a workspace holds a bounded configuration, and what shrinks it always has room', async () => {
  const api = await startConfigApi();
  const { store } = api;
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const [a, b] = [named('a', HOME_LENGTH - 10_000), named('b', 10_000)];
  await store.create('sources', a);
  const create = (one: typeof a) => store.create('sources', one, undefined, undefined, AUTHOR);
  const refused = await create(b).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HomeFull);
  expect(toApiError(refused)).toMatchObject({ failure: 'InvalidArgument', message: expect.stringMatching(FULL) });
  const longer = { ...a, display_name: 'x'.repeat(HOME_LENGTH) };
  await expect(store.update('sources', a.name, () => longer, AUTHOR)).rejects.toBeInstanceOf(HomeFull);
  // Its key belongs to nobody: it was refused whole. Other workspaces have room of their own.
  expect(await create({ ...b, name: 'workspaces/other/sources/b' })).toBe('created');
  const shorter = { ...a, display_name: 'x' };
  expect(await store.update('sources', a.name, () => shorter, AUTHOR)).toEqual(shorter);
  expect(await create(named('c', 10_000))).toBe('created');
});

test('SAFE-2: in a workspace that holds more than it may, the router notes what it does, and people switch off', async () => {
  const api = await startConfigApi();
  const config = [{ name: 'hooks', value: [{ hook: 'https://example.com' }] }];
  const hook = `/${await withWebhooks(api, { enabled: true, config })}`;
  // As an earlier version took them.
  const [a, b] = [named('a', HOME_LENGTH / 2), named('b', HOME_LENGTH / 2)];
  for (const one of [a, b]) await api.store.create('sources', one);
  // So an erasure notes how far it is, and a destination that it is parked.
  const noted = { ...b, display_name: `${b.display_name}, noted` };
  expect(await api.store.update('sources', b.name, () => noted)).toEqual(noted);
  const off = { destination: { enabled: false }, update_mask: { paths: ['enabled'] } };
  expect((await api.ok('PATCH', hook, off))['enabled']).toBe(false);
  const longer = { destination: { display_name: 'x'.repeat(1_000) }, update_mask: { paths: ['display_name'] } };
  const { status, body } = await api.call('PATCH', hook, longer);
  expect([status, body['error']]).toEqual([400, expect.stringMatching(FULL)]);
  await api.ok('DELETE', hook);
});

test('SAFE-2: a workspace that is full has room of its own to rotate a secret and to erase a user, and that has an end', async () => {
  const api = await startConfigApi();
  const config = [
    { name: 'hooks', value: [{ hook: 'https://example.com' }] },
    { name: 'sharedSecret', value: 'a-secret-of-the-test-0123456789' },
  ];
  const hook = `/${await withWebhooks(api, { enabled: true, config })}`;
  await api.store.create('sources', named('a', HOME_LENGTH));
  const erase = (where: string, user: string) => {
    const attributes = { name: 'userId', values: [user] };
    return api.call('POST', `/${where}/regulations`, { regulation_type: 'Suppress_With_Delete', attributes });
  };
  await api.ok('POST', `${hook}:rotateSecret`, {});
  for (const where of [MAIN, `${MAIN}/sources/a`]) expect((await erase(where, 'ada')).status).toBe(200);
  await api.store.create('sources', named('b', RESERVE_LENGTH));
  expect((await erase(MAIN, 'bob')).body['error']).toMatch(FULL);
});

test('CFG-6: a page of large resources ends early, and the pages have each of them once', async () => {
  const api = await startConfigApi();
  const slugs = ['a', 'b', 'c', 'd'];
  for (const slug of slugs)
    await api.store.create('sources', named(slug, slug === 'b' ? PAGE_LENGTH : PAGE_LENGTH / 2));
  const pages: unknown[][] = [];
  let token: string | undefined;
  while (token !== '') {
    const query: string = token === undefined ? '' : `?page_token=${token}`;
    const page = await api.ok('GET', `/${MAIN}/sources${query}`);
    const { sources } = page;
    pages.push(Array.isArray(sources) ? sources.map(({ name }: { name: string }) => name.slice(-1)) : []);
    token = String(page['next_page_token']);
  }
  expect(pages).toEqual([['a'], ['b'], ['c'], ['d']]);
});
