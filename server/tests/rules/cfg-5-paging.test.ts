import { expect, test } from 'vitest';
import { pageToken, readPage } from '../../resources/pages.ts';
import { type ConfigApiServer, startConfigApi, withSource } from '../support/config-api.ts';

const SOURCES = '/workspaces/main/sources';

async function createSources(api: ConfigApiServer, ...names: string[]): Promise<void> {
  for (const slug of names) await api.ok('POST', SOURCES, { source: { name: `workspaces/main/sources/${slug}` } });
}

function slugs(page: Record<string, unknown>): string[] {
  const { sources } = page;
  return Array.isArray(sources) ? sources.map((source: { display_name: string }) => source.display_name) : [];
}

function tokenOf(page: Record<string, unknown>): string {
  return String(page['next_page_token']);
}

const ALPHABET = 'abcdefghijkl'.split('');

test('CFG-5: a token is filled while items are left, and then empty', async () => {
  const api = await startConfigApi();
  await createSources(api, 'a', 'b', 'c');
  const first = await api.ok('GET', `${SOURCES}?page_size=2`);
  expect([slugs(first), tokenOf(first)]).toEqual([['a', 'b'], expect.stringMatching(/^[A-Za-z0-9_-]+$/)]);
  const last = await api.ok('GET', `${SOURCES}?page_size=2&page_token=${tokenOf(first)}`);
  expect([slugs(last), tokenOf(last)]).toEqual([['c'], '']);
  const exact = await api.ok('GET', `${SOURCES}?page_size=3`);
  expect([slugs(exact), tokenOf(exact)]).toEqual([['a', 'b', 'c'], '']);
  const none = await api.ok('GET', '/workspaces/main/tracking-plans');
  expect(none).toEqual({ tracking_plans: [], next_page_token: '' });
});

test('CFG-5, CFG-14: a made-up token that leads further than any storage counts is refused', () => {
  const collection = 'workspaces/main/sources';
  expect(readPage({ page_token: pageToken(collection, { after: 2 ** 53 - 1, limit: 1 }) }, collection)).toMatchObject({
    limit: 1,
  });
  for (const after of [2 ** 53, 2 ** 63])
    expect(() => readPage({ page_token: pageToken(collection, { after, limit: 1 }) }, collection)).toThrow(
      /page_token/,
    );
});

test('CFG-6: pages hold each item once, while others come and go', async () => {
  const api = await startConfigApi();
  await createSources(api, ...ALPHABET);
  const seen: string[] = [];
  let query = '?page_size=3';
  for (let page = 0; query !== ''; page += 1) {
    const answer = await api.ok('GET', `${SOURCES}${query}`);
    seen.push(...slugs(answer));
    query = tokenOf(answer) === '' ? '' : `?page_token=${tokenOf(answer)}`;
    // Behind the walk, at its very edge, and beyond it; and one more at the end.
    if (page === 0) await Promise.all(['a', 'c', 'h'].map((slug) => api.ok('DELETE', `${SOURCES}/${slug}`)));
    if (page === 1) await createSources(api, 'a', 'z');
  }
  expect(seen).toEqual([...ALPHABET.filter((slug) => slug !== 'h'), 'a', 'z']);
});

test('CFG-22: a page has 100 items, and ten workspaces', async () => {
  const api = await startConfigApi();
  await createSources(api, ...Array.from({ length: 101 }, (_, index) => `s${index}`));
  const first = await api.ok('GET', SOURCES);
  expect(slugs(first)).toHaveLength(100);
  expect(slugs(await api.ok('GET', `${SOURCES}?page_token=${tokenOf(first)}`))).toEqual(['s100']);
  for (let index = 0; index < 10; index += 1) {
    await api.ok('POST', '/workspaces', { workspace: { name: `workspaces/w${index}` } });
  }
  expect((await api.ok('GET', '/workspaces'))['workspaces']).toHaveLength(10);
});

test('D-7: a token remembers the size, and a size beside it wins', async () => {
  const api = await startConfigApi();
  await createSources(api, ...ALPHABET);
  const token = tokenOf(await api.ok('GET', `${SOURCES}?page_size=2`));
  expect(slugs(await api.ok('GET', `${SOURCES}?page_token=${token}`))).toEqual(['c', 'd']);
  expect(slugs(await api.ok('GET', `${SOURCES}?page_token=${token}&page_size=3`))).toEqual(['c', 'd', 'e']);
  expect(slugs(await api.ok('GET', `${SOURCES}?page_token=${token}&page_size=0`))).toEqual(['c', 'd']);
});

test.each([
  ['page_size=0', 12],
  ['page_size=1000000000', 12],
  ['page_token=', 12],
  ['&page_size=5', 5],
  ['page_size=5&unknown=1', 5],
])('D-7: the query %s is taken', async (query, count) => {
  const api = await startConfigApi();
  await createSources(api, ...ALPHABET);
  expect(slugs(await api.ok('GET', `${SOURCES}?${query}`))).toHaveLength(count);
});

test.each(['-1', '1.5', 'ten', 'NaN', '1&page_size=2'])('D-7: the page size %j is refused', async (size) => {
  const api = await startConfigApi();
  const answer = await api.call('GET', `${SOURCES}?page_size=${size}`);
  expect(answer).toMatchObject({ status: 400, body: { code: 3, error: expect.stringContaining('page_size') } });
});

test('D-7: a size beyond 1000 is clamped', () => {
  expect(readPage({ page_size: 1001 }, 'x')).toEqual({ after: 0, limit: 1000 });
  expect(readPage({ page_size: 1e30 }, 'x')).toEqual({ after: 0, limit: 1000 });
  const token = pageToken('x', { after: 2 ** 40, limit: 1000 });
  expect(readPage({ page_token: token }, 'x')).toEqual({ after: 2 ** 40, limit: 1000 });
});

test('D-7: a token with any character changed is refused', () => {
  const token = pageToken('workspaces/main/sources', { after: 7, limit: 2 });
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A';
    const damaged = token.slice(0, index) + other + token.slice(index + 1);
    expect(() => readPage({ page_token: damaged }, 'workspaces/main/sources')).toThrow('page_token is invalid');
  }
});

test('D-7: a token of another list, or of nobody, is refused', async () => {
  const api = await startConfigApi();
  const source = await withSource(api);
  await createSources(api, 'a', 'b');
  const token = tokenOf(await api.ok('GET', `${SOURCES}?page_size=1`));
  for (const path of ['/workspaces', `/${source}/destinations`, '/workspaces/main/tracking-plans']) {
    expect(await api.call('GET', `${path}?page_token=${token}`)).toMatchObject({ status: 400, body: { code: 3 } });
  }
  for (const foreign of ['x', '%F0%9F%92%A9', `${token}=`, `${token}${token}`, 'A'.repeat(32)]) {
    expect(await api.call('GET', `${SOURCES}?page_token=${foreign}`)).toMatchObject({ status: 400 });
  }
});
