import { expect, test } from 'vitest';
import { placeToken } from '../../resources/place-pages.ts';
import { type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const MAIN = 'workspaces/main';
const KIND = 'catalog/destinations/webhooks';

async function createSource(api: ConfigApiServer, source: string, destinations: readonly string[]): Promise<void> {
  const name = `${MAIN}/sources/${source}`;
  await api.ok('POST', `/${MAIN}/sources`, { source: { name } });
  for (const own of destinations)
    await api.ok('POST', `/${name}/destinations`, {
      destination: { name: `${name}/destinations/${own}`, catalog_name: KIND },
    });
}

async function createFilter(api: ConfigApiServer, place: string, title: string): Promise<void> {
  const [source, destination] = place.split('/');
  await api.ok('POST', `/${MAIN}/sources/${source}/destinations/${destination}/filters`, {
    filter: { title, if: 'event = "E"', actions: [{ type: 'drop_event' }] },
  });
}

type Item = Readonly<Record<string, unknown>>;

/** All pages; `between` is told how many there were. */
async function walk(
  api: ConfigApiServer,
  list: 'destinations' | 'filters' | 'schema-configs',
  size: number,
  between: (pages: number) => Promise<void> = async () => {},
): Promise<Item[]> {
  const found: Item[] = [];
  let query = `?page_size=${size}`;
  for (let pages = 1; query !== ''; pages += 1) {
    const { next_page_token: token, ...page } = await api.ok('GET', `/${MAIN}/${list}${query}`);
    const items = Array.from(Object(page[list.replaceAll('-', '_')]), (item): Item => Object(item));
    expect(items.length).toBeLessThanOrEqual(size);
    found.push(...items);
    query = token === '' ? '' : `?page_token=${String(token)}`;
    await between(pages);
  }
  return found;
}

/** `source/destination` */
function placesOf(items: readonly Item[]): string[] {
  return items.map(({ name }) => String(name).split('/')).map((parts) => `${parts[3]}/${parts[5]}`);
}

test('CFG-6: destinations of all sources come source by source, whatever a page holds', async () => {
  const api = await startConfigApi();
  await createSource(api, 'a', ['1', '2', '3']);
  await createSource(api, 'none', []);
  await createSource(api, 'b', ['1']);
  await createSource(api, 'c', ['1', '2']);
  const all = ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2'];
  for (const size of [1, 2, 3, 4, 6, 7]) expect(placesOf(await walk(api, 'destinations', size))).toEqual(all);
  const [first] = await walk(api, 'destinations', 1);
  expect(first).toEqual(await api.ok('GET', `/${MAIN}/sources/a/destinations/1`));
});

test('CFG-6: pages over all sources hold each destination once, while others come and go', async () => {
  const api = await startConfigApi();
  for (const source of ['a', 'b', 'c']) await createSource(api, source, ['1', '2', '3']);
  const found = await walk(api, 'destinations', 2, async (pages) => {
    if (pages !== 2) return;
    // Behind the walk, at its edge, and ahead of it.
    for (const gone of ['a/destinations/1', 'b/destinations/1', 'c/destinations/2'])
      await api.ok('DELETE', `/${MAIN}/sources/${gone}`);
    await createSource(api, 'd', ['1']);
  });
  expect(placesOf(found)).toEqual(['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'b/3', 'c/1', 'c/3', 'd/1']);
});

test('CFG-6: a walk goes on although the source that it stands in is gone', async () => {
  const api = await startConfigApi();
  for (const source of ['a', 'b']) await createSource(api, source, ['1', '2']);
  const found = await walk(api, 'destinations', 1, async (pages) => {
    if (pages === 1) await api.ok('DELETE', `/${MAIN}/sources/a`);
  });
  expect(placesOf(found)).toEqual(['a/1', 'b/1', 'b/2']);
});

test('CFG-6: filters of all destinations come with the rest of what a list of one destination shows', async () => {
  const api = await startConfigApi();
  await createSource(api, 'a', ['1', '2']);
  await createSource(api, 'b', ['1']);
  for (const [place, title] of [
    ['b/1', 'third'],
    ['a/2', 'first'],
    ['a/2', 'second'],
  ] as const)
    await createFilter(api, place, title);
  for (const size of [1, 2, 3, 10]) {
    const found = await walk(api, 'filters', size);
    expect(found.map(({ title }) => title)).toEqual(['first', 'second', 'third']);
    expect(placesOf(found)).toEqual(['a/2', 'a/2', 'b/1']);
  }
  const { filters: own } = await api.ok('GET', `/${MAIN}/sources/a/destinations/2/filters`);
  expect((await walk(api, 'filters', 10)).slice(0, 2)).toEqual(own);
});

test('CFG-6: more sources than are looked at together lead to what the last of them has', async () => {
  const api = await startConfigApi();
  for (let at = 0; at < 160; at += 1) await createSource(api, `s${at}`, []);
  await createSource(api, 'last', ['1']);
  await createFilter(api, 'last/1', 'only');
  expect(placesOf(await walk(api, 'destinations', 5))).toEqual(['last/1']);
  expect(placesOf(await walk(api, 'filters', 5))).toEqual(['last/1']);
});

test('schema configurations of all sources are those that each source has', async () => {
  const api = await startConfigApi();
  for (const source of ['a', 'b', 'c']) await createSource(api, source, []);
  const changed = { allow_unplanned_track_events: false };
  await api.ok('PATCH', `/${MAIN}/sources/b/schema-config`, {
    schema_config: changed,
    update_mask: { paths: ['schema_config.allow_unplanned_track_events'] },
  });
  const found = await walk(api, 'schema-configs', 2);
  for (const [at, source] of ['a', 'b', 'c'].entries())
    expect(found[at]).toEqual(await api.ok('GET', `/${MAIN}/sources/${source}/schema-config`));
  expect(found).toHaveLength(3);
  expect(found[1]).toMatchObject(changed);
});

test('CFG-15: lists of a whole workspace are a 404 where there is none, or the token sees but a part of it', async () => {
  const api = await startConfigApi();
  await createSource(api, 'a', ['1']);
  const made = await api.ok('POST', '/access-tokens', {
    access_token: { description: 'part', scopes: 'workspace:read', resource_names: [`${MAIN}/sources/a`] },
  });
  const token = String(made['token']);
  for (const list of ['destinations', 'filters', 'schema-configs']) {
    expect((await api.call('GET', `/workspaces/other/${list}`)).status).toBe(404);
    expect((await api.call('GET', `/${MAIN}/${list}`, undefined, { token })).status).toBe(404);
  }
});

test('CFG-5, CFG-14: a token of another list, or a made-up one, is refused', async () => {
  const api = await startConfigApi();
  await createSource(api, 'a', ['1', '2']);
  const { next_page_token: token } = await api.ok('GET', `/${MAIN}/destinations?page_size=1`);
  const list = `${MAIN}/-/destinations`;
  for (const refused of [
    [`/${MAIN}/filters`, String(token)],
    [`/${MAIN}/destinations`, placeToken(list, { after: '1', limit: 1 })],
    [`/${MAIN}/destinations`, placeToken(list, { after: '1 x', limit: 1 })],
    [`/${MAIN}/destinations`, placeToken(list, { after: `1 ${2 ** 60}`, limit: 1 })],
  ] as const)
    expect(await api.call('GET', `${refused[0]}?page_token=${refused[1]}`)).toMatchObject({
      status: 400,
      body: { code: 3, error: expect.stringContaining('page_token') },
    });
});
