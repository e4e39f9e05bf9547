import { expect, test } from 'vitest';
import { placeToken } from '../../resources/place-pages.ts';
import { startWorld } from '../contract/world.ts';
import { apiOf, errorOf, HOME, PRO, startApi } from '../support/audience-api.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { oneProfile } from '../support/one-profile.ts';
import { stillClock } from '../support/still-clock.ts';

const WHOLE_HOUR = /T\d\d:00:00\.000Z$/;

test('AUD-10: the members of an audience, and the values of a computed trait, are listed as of a sync', async () => {
  const { audience, trait, get } = await startApi({ keepsLog: true });
  const [{ body }, { body: spent }] = [await audience('Buyers'), await trait('Spent')];
  const [user_id, since_sync, next_page_token] = ['user-1', 1, ''];
  const members = await get(`${String(body['name'])}/members`);
  expect(members.body).toEqual({ members: [{ user_id, since_sync }], next_page_token });
  const values = await get(`${String(spent['name'])}/values`);
  expect(values.body).toEqual({ values: [{ user_id, value: true, since_sync }], next_page_token });
});

test.each(['NaN user-1', '1e999 user-1', '1.5 user-1', '99999999999999999999 user-1'])(
  'a page token that is made up, of the place %s, is refused',
  async (after) => {
    const { audience, get } = await startApi({ keepsLog: true });
    const list = `${String((await audience('Buyers')).body['name'])}/members`;
    const answer = await get(`${list}?page_token=${placeToken(list, { after, limit: 10 })}`);
    expect(answer).toMatchObject({ status: 400, body: { error: /no longer kept/ } });
  },
);

test('a member is explained by each condition, those of other audiences too', async () => {
  const { audience, get, post } = await startApi({ keepsLog: true });
  const { body: pro } = await audience('Pro');
  const bought = { where: 'all', count: { gte: 2 } };
  const { body } = await audience('Buyers', { all: [{ member_of: pro['name'] }, { not: { events: bought } }] });
  const name = String(body['name']);
  const looked = { measure: 'count', until: expect.stringMatching(WHOLE_HOUR) };
  expect((await get(`${name}/members/user-0`)).body).toEqual({
    user_id: 'user-1',
    is_member: true,
    is_member_at_last_sync: false,
    explanation: {
      kind: 'all',
      holds: true,
      conditions: [
        { kind: 'trait', holds: true, member_of: pro['name'], trait: 'plan', value: 'pro', is: { eq: 'pro' } },
        {
          kind: 'not',
          holds: true,
          conditions: [{ kind: 'events', holds: false, where: 'all', ...looked, value: 0, is: { gte: 2 } }],
        },
      ],
    },
  });
  expect((await get(`${name}/members/nobody`)).status).toBe(404);
  const home = 'workspaces/computed-traits';
  await post('workspaces', { workspace: { name: home } });
  const audienceIn = async (display_name: string, definition: object): Promise<unknown> =>
    (await post(`${home}/audiences`, { audience: { display_name, definition } })).body['name'];
  const member_of = await audienceIn('Pro', PRO);
  const both = await get(`${String(await audienceIn('Both', { all: [{ member_of }, PRO] }))}/members/user-0`);
  expect(both.body).toMatchObject({ explanation: { conditions: [{ member_of }, {}] } });
});

test('what an explanation has of other audiences, and of computed traits, is told with their names', async () => {
  const { audience, trait, get, post } = await startApi({ keepsLog: true });
  const list = { unique_list: { where: 'all', of: 'properties.sku' } };
  const definition = { computed_trait: (await trait('Bought', list)).body['name'], is: { contains: 'a' } };
  const { name: collectors } = (await audience('Collectors', definition)).body;
  const { name: friends } = (await audience('Friends', { member_of: collectors })).body;
  const { name } = (await audience('All', { not: { member_of: friends } })).body;
  const { explanation } = (await get(`${String(name)}/members/user-0`)).body;
  const [found] = Object(explanation).conditions;
  expect(found).toMatchObject({ kind: 'all', holds: false, member_of: friends, conditions: [{}] });
  const said = { kind: 'events', member_of: collectors, computed_trait: definition.computed_trait, measure: 'list' };
  expect(found.conditions).toMatchObject([said]);
  expect((await post(`${HOME}/audiences:preview`, { definition: { member_of: friends } })).status).toBe(200);
});

test('of a condition on events it is told which events, of which time, and which of their values', async () => {
  const { audience, get, post } = await startApi({ keepsLog: true });
  await post(`${HOME}/sources`, { source: { name: `${HOME}/sources/js`, catalog_name: 'catalog/sources/javascript' } });
  const of = String.raw`properties.order\.total`;
  const where = "event = 'Bought'";
  const sources = [`${HOME}/sources/js`];
  const events = { where, sources, sum: { of, gte: 2 }, window: { between: ['2h', '2d'] } };
  const { body } = await audience('Buyers', { not: { events } });
  const { explanation } = (await get(`${String(body['name'])}/members/user-0`)).body;
  const [looked] = Object(explanation).conditions;
  const times = { after: expect.stringMatching(WHOLE_HOUR), until: expect.stringMatching(WHOLE_HOUR) };
  expect(looked).toEqual({
    kind: 'events',
    holds: false,
    where,
    sources,
    measure: 'sum',
    of,
    ...times,
    value: 0,
    is: { gte: 2 },
  });
  expect(Date.parse(looked.until) - Date.parse(looked.after)).toBe(46 * 3_600_000);
});

test('a preview tells who would be a member, since when there is history, and how long that took', async () => {
  let now = Date.UTC(2026, 10, 20, 10, 30);
  const profiles = oneProfile();
  const preview: typeof profiles.preview = (request) => {
    now += 40;
    return profiles.preview(request);
  };
  const slow = { ...profiles, preview };
  const { audience, post } = apiOf(await startWorld({ keepsLog: true, profiles: slow, clock: stillClock(() => now) }));
  const none = await post(`${HOME}/audiences:preview`, { definition: PRO });
  expect(none.body).toMatchObject({ size: 0, sample: [], evaluated: 0, duration_ms: 0 });
  const { body } = await audience('Buyers');
  const some = await post(`${HOME}/audiences:preview`, { definition: { not: { member_of: body['name'] } } });
  const { history_from } = body;
  expect(some.body).toEqual({ size: 1, sample: ['user-1'], evaluated: 1, duration_ms: 40, history_from });
});

test('AUD-9: a profile is read by any of its ids; its deletion is a regulation of all of them, and told to nobody', async () => {
  const { audience, get, remove } = await startApi({ keepsLog: true });
  expect((await get(`${HOME}/profiles/user-1`)).status).toBe(404);
  await audience('Buyers');
  const profile = { user_id: 'user-1', user_ids: ['user-0', 'user-1'], anonymous_ids: ['anonymous-1'] };
  expect((await get(`${HOME}/profiles/user-0`)).body).toMatchObject({ ...profile, traits: { plan: 'pro' } });
  expect((await remove(`${HOME}/profiles/user-0`)).body).toEqual({});
  expect((await get(`${HOME}/profiles/user-1`)).status).toBe(404);
  const { body } = await get(`${HOME}/regulations`);
  expect(body['regulations']).toMatchObject([{ regulation_type: 'Delete_Internal', overall_status: 'INITIALIZED' }]);
});

test.each([undefined, 2])(
  'SAFE-2: previews are made one at a time of a workspace, %s in all',
  async (previewsAtOnce = 1) => {
    const profiles = oneProfile();
    const waiting: PromiseWithResolvers<void>[] = [];
    const spaces = new Set<string>();
    let folds = 0;
    const held: typeof profiles & Pick<ProfileStorage, 'previewsAtOnce'> = {
      ...profiles,
      previewsAtOnce,
      fold: async (request) => {
        folds += 1;
        return profiles.fold(request);
      },
      preview: async (request) => {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        spaces.add(request.space);
        await turn.promise;
        return profiles.preview(request);
      },
    };
    const { audience, post } = apiOf(await startWorld({ keepsLog: true, profiles: held }));
    await audience('Pro');
    await post('workspaces', { workspace: { name: 'workspaces/other' } });
    await post('workspaces/other/audiences', { audience: { display_name: 'Pro', definition: PRO } });
    const ended: string[] = [];
    const previewIn = async (workspace: string): Promise<void> => {
      const { status } = await post(`${workspace}/audiences:preview`, { definition: PRO });
      ended.push(`${status} ${workspace}`);
    };
    const all = Array.from({ length: 4 }, () => previewIn(HOME));
    await expect.poll(() => waiting.length).toBe(1);
    all.push(previewIn('workspaces/other'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    // What others ask of profiles would wait for those of the three that wait as well.
    const each = { folds, previews: waiting.length, workspaces: spaces.size };
    expect(each).toEqual({ folds: previewsAtOnce, previews: previewsAtOnce, workspaces: previewsAtOnce });
    for (let at = 0; at < 5; at += 1) {
      await expect.poll(() => waiting.length).toBeGreaterThan(at);
      waiting[at]?.resolve();
    }
    await Promise.all(all);
    expect(ended.toSorted()).toEqual([...Array<string>(4).fill(`200 ${HOME}`), '200 workspaces/other']);
    expect(ended.indexOf('200 workspaces/other')).toBeLessThan(3);
  },
);

test('SAFE-2: members of a workspace are explained one at a time, beside those of others', async () => {
  const profiles = oneProfile();
  const turns: { readonly space: string; readonly turn: PromiseWithResolvers<void> }[] = [];
  const held: typeof profiles = {
    ...profiles,
    profile: async (request) => {
      const turn = Promise.withResolvers<void>();
      turns.push({ space: request.space, turn });
      await turn.promise;
      return profiles.profile(request);
    },
  };
  const { get, post } = apiOf(await startWorld({ keepsLog: true, profiles: held }));
  await post('workspaces', { workspace: { name: 'workspaces/other' } });
  const explained = [HOME, HOME, HOME, 'workspaces/other'].map(async (workspace, index) => {
    const { body } = await post(`${workspace}/audiences`, {
      audience: { display_name: `Pro ${index}`, definition: PRO },
    });
    return (await get(`${String(body['name'])}/members/user-1`)).status;
  });
  await expect.poll(() => turns.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(new Set(turns.map(({ space }) => space)).size).toBe(2);
  for (let at = 0; at < 4; at += 1) {
    await expect.poll(() => turns.length).toBeGreaterThan(at);
    turns[at]?.turn.resolve();
  }
  expect(await Promise.all(explained)).toEqual([200, 200, 200, 200]);
});

test('a router without profiles does not implement what needs them', async () => {
  const { audience, trait, get, post, remove } = await startApi();
  const { body } = await audience('Buyers');
  const [name, traitName] = [String(body['name']), String((await trait('Spent')).body['name'])];
  const answers = [
    await post(`${HOME}/audiences:preview`, { definition: PRO }),
    await post(`${name}:sync`),
    await get(`${name}/syncs`),
    await get(`${name}/members`),
    await get(`${traitName}/values`),
    await get(`${HOME}/profiles/user-1`),
    await remove(`${HOME}/profiles/user-1`),
  ];
  expect(answers.map(errorOf)).toEqual(answers.map(() => '501 this router keeps no profiles'));
});
