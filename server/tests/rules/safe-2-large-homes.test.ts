import { expect, test } from 'vitest';
import { toApiError } from '../../http/error-answers.ts';
import { PAGE_LENGTH } from '../../resources/pages.ts';
import { HOME_LENGTH, HomeFull } from '../../storage/config-store.ts';
import { startConfigApi } from '../support/config-api.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';

const MAIN = 'workspaces/main';
const FULL =
  /^workspaces\/main would hold more than 64 MB of configuration: remove what is no longer used, or shorten it$/;

function named(slug: string, length: number) {
  return { ...sourceNamed(`${MAIN}/sources/${slug}`, `key-${slug}`), display_name: 'x'.repeat(length) };
}

test('SAFE-2: a workspace holds a bounded configuration, and what shrinks it always has room', async () => {
  const api = await startConfigApi();
  const { store } = api;
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/other' } });
  const [a, b] = [named('a', HOME_LENGTH - 10_000), named('b', 10_000)];
  await store.create('sources', a);
  const refused = await store.create('sources', b).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HomeFull);
  expect(toApiError(refused)).toMatchObject({ failure: 'InvalidArgument', message: expect.stringMatching(FULL) });
  const longer = { ...a, display_name: 'x'.repeat(HOME_LENGTH) };
  await expect(store.update('sources', a.name, () => longer)).rejects.toBeInstanceOf(HomeFull);
  // Its key belongs to nobody: it was refused whole. Other workspaces have room of their own.
  expect(await store.create('sources', { ...b, name: 'workspaces/other/sources/b' })).toBe('created');
  const shorter = { ...a, display_name: 'x' };
  expect(await store.update('sources', a.name, () => shorter)).toEqual(shorter);
  expect(await store.create('sources', named('c', 10_000))).toBe('created');
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
