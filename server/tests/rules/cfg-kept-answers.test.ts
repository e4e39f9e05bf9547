import { request } from 'undici';
import { expect, test } from 'vitest';
import { Kept, shownOnce } from '../../resources/kept.ts';
import {
  type Answer,
  type ConfigApiServer,
  startConfigApi,
  TOKEN,
  withSource,
  withWebhooks,
} from '../support/config-api.ts';

const SOURCES = '/workspaces/main/sources';

/** What is answered of a resource twice is answered of what is kept. */
async function twice(api: ConfigApiServer, path: string, token?: string): Promise<Answer> {
  const options = token === undefined ? {} : { token };
  await api.call('GET', path, undefined, options);
  return api.call('GET', path, undefined, options);
}

async function readOnly(api: ConfigApiServer): Promise<string> {
  const access_token = { description: 'reads', scopes: 'workspace:read' };
  return String((await api.ok('POST', '/access-tokens', { access_token }))['token']);
}

test('a change is seen by the next read and the next list, with another tag', async () => {
  const api = await startConfigApi();
  const name = await withSource(api);
  const [before] = [await twice(api, `/${name}`), await twice(api, SOURCES)];
  const body = { source: { display_name: 'again' }, update_mask: { paths: ['source.display_name'] } };
  const changed = await api.call('PATCH', `/${name}`, body);
  const after = await api.call('GET', `/${name}`);
  expect(after.body).toEqual({ ...before.body, display_name: 'again' });
  expect((await api.ok('GET', SOURCES))['sources']).toEqual([after.body]);
  const tags = [before, changed, after].map(({ headers }) => headers.get('etag'));
  expect(tags).toEqual([expect.any(String), tags[2], expect.not.stringMatching(String(tags[0]))]);
});

test('one that is deleted and made again is the new one', async () => {
  const api = await startConfigApi();
  const name = await withSource(api);
  const { id } = (await twice(api, `/${name}`)).body;
  await api.ok('DELETE', `/${name}`);
  expect((await api.call('GET', `/${name}`)).status).toBe(404);
  await withSource(api);
  expect((await api.ok('GET', `/${name}`))['id']).not.toBe(id);
});

test('D-15: who reads after another is shown what is for their own eyes, in lists too', async () => {
  const api = await startConfigApi();
  const config = [{ name: 'sharedSecret', value: 'very-secret' }];
  const name = await withWebhooks(api, { config });
  const reader = await readOnly(api);
  for (const path of [`/${name}`, `/${name.replace(/\/webhooks$/, '')}`]) {
    for (const [token, sees] of [
      [TOKEN, true],
      [reader, false],
      [TOKEN, true],
    ] as const) {
      const { body, headers } = await twice(api, path, token);
      expect(JSON.stringify(body).includes('very-secret')).toBe(sees);
      expect(sees || headers.get('etag') === null).toBe(true);
    }
  }
});

test('CFG-12: a token that is deleted is refused at once, however often it was good', async () => {
  const api = await startConfigApi();
  const access_token = { description: 'leaves', scopes: 'workspace' };
  const { name, token } = await api.ok('POST', '/access-tokens', { access_token });
  expect((await twice(api, '/workspaces', String(token))).status).toBe(200);
  await api.ok('DELETE', `/${String(name)}`);
  expect((await api.call('GET', '/workspaces', undefined, { token: String(token) })).status).toBe(401);
});

test('HEAD answers the headers of GET, also where that is a stream', async () => {
  const api = await startConfigApi();
  const name = await withSource(api);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const [got, head] = await Promise.all(
    (['GET', 'HEAD'] as const).map((method) => request(`${api.url}/v1beta/${name}`, { method, headers })),
  );
  expect([head?.headers['etag'], head?.headers['content-length']]).toEqual([
    got?.headers['etag'],
    got?.headers['content-length'],
  ]);
  const stream = await request(`${api.url}/v1beta/${name}/accepted-events:stream`, { method: 'HEAD', headers });
  expect([stream.statusCode, stream.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(await stream.body.text()).toBe('');
});

test('of what may change nothing is kept', () => {
  let made = 0;
  const kept = new Kept(() => String((made += 1)));
  const [fixed, loose] = [Object.freeze({}), {}];
  expect([fixed, fixed, loose, loose].map((value) => kept.of(value))).toEqual(['1', '1', '2', '3']);
  const show = shownOnce((stored: object) => ({ ...stored }));
  expect([show(fixed) === show(fixed), show(loose) === show(loose)]).toEqual([true, false]);
  expect(Object.isFrozen(show(fixed))).toBe(true);
});

test('what is asked for is kept, and what nobody asks for gives way', () => {
  const made: object[] = [];
  const large = 'x'.repeat(9_000_000);
  const kept = new Kept((value) => {
    made.push(value);
    return large;
  });
  const [asked, left] = [Object.freeze({ asked: true }), Object.freeze({ left: true })];
  kept.of(left);
  for (let other = 0; other < 6; other += 1) {
    kept.of(asked);
    kept.of(Object.freeze({ other }));
  }
  kept.of(left);
  expect([made.filter((value) => value === asked).length, made.filter((value) => value === left).length]).toEqual([
    1, 2,
  ]);
});
