import { expect, test } from 'vitest';
import { startWorld, type World, type WorldAnswer } from '../contract/world.ts';

const HOME = 'workspaces/main';
const WEBHOOKS = `${HOME}/sources/js/destinations/webhooks`;
const PRO = { trait: 'plan', is: { eq: 'pro' } };
const WHOLE_HOUR = /T\d\d:00:00\.000Z$/;
const SPENT = { sum: { where: 'all', of: 'properties.total' } };

interface Api {
  readonly post: (path: string, body?: object) => Promise<WorldAnswer>;
  readonly get: (path: string) => Promise<WorldAnswer>;
  readonly patch: (name: unknown, key: string, fields: object) => Promise<WorldAnswer>;
  readonly remove: (name: unknown) => Promise<WorldAnswer>;
  readonly audience: (display_name: string, definition?: object, more?: object) => Promise<WorldAnswer>;
  readonly trait: (display_name: string, definition?: object) => Promise<WorldAnswer>;
}

function apiOf({ send }: World): Api {
  const post: Api['post'] = (path, body) =>
    send({ method: 'POST', path: `/v1beta/${path}`, body: JSON.stringify(body) });
  return {
    post,
    get: (path) => send({ method: 'GET', path: `/v1beta/${path}` }),
    patch(name, key, fields) {
      const paths = Object.keys(fields).map((field) => `${key}.${field}`);
      const body = JSON.stringify({ [key]: fields, update_mask: { paths } });
      return send({ method: 'PATCH', path: `/v1beta/${String(name)}`, body });
    },
    remove: (name) => send({ method: 'DELETE', path: `/v1beta/${String(name)}` }),
    audience: (display_name, definition = PRO, more = {}) =>
      post(`${HOME}/audiences`, { audience: { display_name, definition, ...more } }),
    trait: (display_name, definition = SPENT) =>
      post(`${HOME}/computed-traits`, { computed_trait: { display_name, definition } }),
  };
}

async function startApi(options?: { keepsLog: boolean }): Promise<Api> {
  return apiOf(await startWorld(options));
}

function errorOf({ status, body }: WorldAnswer): string {
  return `${status} ${String(body['error'])}`;
}

test('an audience is made with its key, its state and since when it counts', async () => {
  const { audience, get } = await startApi();
  const { status, body } = await audience('Big Spenders');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: expect.stringMatching(/^workspaces\/main\/audiences\/aud_[A-Za-z0-9]{27}$/),
    key: 'big_spenders',
    display_name: 'Big Spenders',
    definition: PRO,
    enabled: true,
    destinations: [],
    state: 'PREPARING',
    history_from: body['create_time'],
  });
  expect(Object.keys(body)).not.toContain('measures_from');
  expect((await get(String(body['name']))).body).toEqual(body);
  expect((await get(`${HOME}/audiences`)).body).toEqual({ audiences: [body], next_page_token: '' });
});

test('a computed trait is made likewise', async () => {
  const { trait } = await startApi();
  const { body } = await trait('Total spent');
  expect(body).toMatchObject({ key: 'total_spent', definition: SPENT, enabled: true, state: 'PREPARING' });
  expect(body['name']).toMatch(/^workspaces\/main\/computed-traits\/tra_[A-Za-z0-9]{27}$/);
});

test('the place of a fault in a definition is told: in a create, an update and a preview', async () => {
  const { audience, patch, post, trait } = await startApi({ keepsLog: true });
  const broken = { any: [PRO, { events: { where: 'event = == 3' } }] };
  const fault = 'definition.any[1].events.where: column 9: ';
  expect(errorOf(await audience('Broken', broken))).toContain(`400 audience.${fault}`);
  const { body } = await audience('Whole');
  expect(errorOf(await patch(body['name'], 'audience', { definition: broken }))).toContain(`400 audience.${fault}`);
  expect(errorOf(await post(`${HOME}/audiences:preview`, { definition: broken }))).toContain(`400 ${fault}`);
  const total = errorOf(await trait('Broken', { sum: { where: 'all' } }));
  expect(total).toMatch(/^400 computed_trait\.definition\.sum .*of/);
});

test.each([
  [
    { member_of: `${HOME}/audiences/aud_none` },
    `audience.definition.member_of: ${HOME}/audiences/aud_none does not exist`,
  ],
  [
    { computed_trait: `${HOME}/computed-traits/tra_none`, is: { gt: 1 } },
    `audience.definition.computed_trait: ${HOME}/computed-traits/tra_none does not exist`,
  ],
  [
    { events: { where: 'all', sources: [`${HOME}/sources/none`] } },
    `audience.definition.events.sources[0]: ${HOME}/sources/none does not exist`,
  ],
])('what a definition names has to be there: %j', async (definition, error) => {
  const { audience } = await startApi();
  expect(errorOf(await audience('Lost', definition))).toBe(`400 ${error}`);
});

test('D-72: the key stays when the name changes, and is given to nobody else, not even after a deletion (check 18)', async () => {
  const { audience, patch, remove, trait } = await startApi();
  const { body: first } = await audience('Big Spenders');
  const renamed = await patch(first['name'], 'audience', { display_name: 'Whales' });
  expect(renamed.body).toMatchObject({ display_name: 'Whales', key: 'big_spenders' });
  expect(errorOf(await audience('big spenders!'))).toBe(
    `409 the key "big_spenders" already exists: it is that of ${String(first['name'])}`,
  );
  expect(errorOf(await trait('Big Spenders'))).toContain('409 the key "big_spenders" already exists');
  expect((await audience('Whales')).status).toBe(200);
  expect((await remove(first['name'])).status).toBe(200);
  const again = await audience('Big Spenders');
  expect(errorOf(again)).toBe(
    '409 the key "big_spenders" already exists: it was that of one that was deleted, so choose another name',
  );
});

test('of two that ask for one key at once one gets it', async () => {
  const { audience, trait } = await startApi();
  const answers = await Promise.all([audience('Buyers'), trait('Buyers'), audience('buyers')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});

test('a name without letters is refused (check 18)', async () => {
  const { audience } = await startApi();
  expect(errorOf(await audience('2026'))).toBe(
    '400 audience.display_name must have a letter, as the key is made of it, got "2026"',
  );
});

test('a cycle is refused, and named (check 17)', async () => {
  const { audience, patch } = await startApi();
  const { body: a } = await audience('A');
  const { body: b } = await audience('B', { not: { member_of: a['name'] } });
  const cycle = await patch(a['name'], 'audience', { definition: { member_of: b['name'] } });
  const [first, second] = [String(a['name']), String(b['name'])];
  expect(errorOf(cycle)).toBe(`400 audience.definition makes a cycle: ${first} → ${second} → ${first}`);
});

test('what an audience is defined by is not deleted (check 17)', async () => {
  const { audience, remove, trait } = await startApi();
  const { body: a } = await audience('A');
  const { body: spent } = await trait('Spent');
  const using = { all: [{ member_of: a['name'] }, { computed_trait: spent['name'], is: { gt: 1 } }] };
  const { body: b } = await audience('B', using);
  for (const { name } of [a, spent]) {
    const error = `409 ${String(name)} is used by the definition of ${String(b['name'])}, which exists: change that first`;
    expect(errorOf(await remove(name))).toBe(error);
  }
  for (const { name } of [b, a, spent]) expect((await remove(name)).status).toBe(200);
});

test('destinations are webhooks destinations of the workspace', async () => {
  const { audience, patch, post } = await startApi();
  await post(`${HOME}/sources`, { source: { name: `${HOME}/sources/js` } });
  const { body } = await audience('Buyers');
  const set = (destinations: string[]) => patch(body['name'], 'audience', { destinations });
  expect(errorOf(await set([WEBHOOKS]))).toBe(`404 ${WEBHOOKS} does not exist`);
  for (const slug of ['webhooks', 'other']) {
    const name = `${HOME}/sources/js/destinations/${slug}`;
    await post(`${HOME}/sources/js/destinations`, { destination: { name } });
  }
  expect((await set([WEBHOOKS, WEBHOOKS])).body).toMatchObject({ destinations: [WEBHOOKS] });
  const other = WEBHOOKS.replace('webhooks', 'other');
  expect(errorOf(await set([other]))).toBe(`400 audience.destinations: ${other} is no webhooks destination`);
  expect(errorOf(await set([WEBHOOKS.replace('main', 'other')]))).toContain('400 audience.destinations must be names');
  expect((await set([])).body).toMatchObject({ destinations: [] });
});

test('a workspace has at most 25 computed traits', async () => {
  const { trait } = await startApi();
  for (let count = 0; count < 25; count += 1) expect((await trait(`Trait t${count}`)).status).toBe(200);
  expect(errorOf(await trait('One more'))).toContain('400 workspaces/main already has the maximum number');
});

test('a definition is replaced as a whole, and cannot be emptied', async () => {
  const { audience, patch } = await startApi();
  const { body } = await audience('Buyers');
  const changed = await patch(body['name'], 'audience', { definition: { not: PRO } });
  expect(changed.body).toMatchObject({ definition: { not: PRO } });
  const emptied = await patch(body['name'], 'audience', { definition: undefined });
  expect(errorOf(emptied)).toBe('400 audience.definition must be an object, got nothing');
});

test('one that is disabled says so, and is not computed', async () => {
  const { audience, patch, post } = await startApi({ keepsLog: true });
  const { body } = await audience('Buyers');
  expect((await post(`${String(body['name'])}:sync`)).status).toBe(200);
  const disabled = await patch(body['name'], 'audience', { enabled: false });
  expect(disabled.body).toMatchObject({ state: 'DISABLED', last_sync: { state: 'RUNNING' } });
  expect(errorOf(await post(`${String(body['name'])}:sync`))).toContain('is disabled: enable it first');
});

test('syncs are begun, listed newest first, and cancelled', async () => {
  const { audience, get, post } = await startApi({ keepsLog: true });
  const { body } = await audience('Buyers');
  const name = String(body['name']);
  const { body: first } = await post(`${name}:sync`);
  expect(first).toMatchObject({ name: `${name}/syncs/1`, state: 'RUNNING', sent: 0, delivered: 0 });
  expect((await get(name)).body).toMatchObject({ state: 'COMPUTING', last_sync: first });
  // The one that runs already.
  expect((await post(`${name}:sync`)).body).toEqual(first);
  const { body: cancelled } = await post(`${name}/syncs/1:cancel`);
  expect(cancelled).toMatchObject({ state: 'CANCELLED', end_time: expect.any(String) });
  await post(`${name}:sync`);
  const page = await get(`${name}/syncs?page_size=1`);
  expect(page.body).toMatchObject({ syncs: [{ name: `${name}/syncs/2` }] });
  const rest = await get(`${name}/syncs?page_token=${String(page.body['next_page_token'])}`);
  expect(rest.body).toEqual({ syncs: [cancelled], next_page_token: '' });
  expect((await post(`${name}/syncs/3:cancel`)).status).toBe(404);
});

test('the entity tag does not change with what syncs find', async () => {
  const world = await startWorld({ keepsLog: true });
  const { audience, post, get } = apiOf(world);
  const { body } = await audience('Buyers');
  const path = `/v1beta/${String(body['name'])}`;
  await post(`${String(body['name'])}:sync`);
  expect((await get(String(body['name']))).body).toMatchObject({ state: 'COMPUTING' });
  const stale = await world.send({ method: 'DELETE', path, headers: { 'If-Match': '"of another state"' } });
  expect(stale.status).toBe(409);
  const tag = /does not match ("[^ ]+")/.exec(String(stale.body['error']))?.[1] ?? '';
  await post(`${String(body['name'])}/syncs/1:cancel`);
  expect((await world.send({ method: 'DELETE', path, headers: { 'If-Match': tag } })).status).toBe(200);
});

test('AUD-10: the members of an audience, and the values of a computed trait, are listed as of a sync', async () => {
  const { audience, trait, get } = await startApi({ keepsLog: true });
  const [{ body }, { body: spent }] = [await audience('Buyers'), await trait('Spent')];
  const [user_id, since_sync, next_page_token] = ['user-1', 1, ''];
  const members = await get(`${String(body['name'])}/members`);
  expect(members.body).toEqual({ members: [{ user_id, since_sync }], next_page_token });
  const values = await get(`${String(spent['name'])}/values`);
  expect(values.body).toEqual({ values: [{ user_id, value: true, since_sync }], next_page_token });
});

test('a member is explained by each condition, those of other audiences too', async () => {
  const { audience, get } = await startApi({ keepsLog: true });
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
        { kind: 'trait', holds: true, trait: 'plan', value: 'pro', is: { eq: 'pro' } },
        {
          kind: 'not',
          holds: true,
          conditions: [{ kind: 'events', holds: false, where: 'all', ...looked, value: 0, is: { gte: 2 } }],
        },
      ],
    },
  });
  expect((await get(`${name}/members/nobody`)).status).toBe(404);
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

test('a preview tells who would be a member, and since when there is history', async () => {
  const { audience, post } = await startApi({ keepsLog: true });
  const none = await post(`${HOME}/audiences:preview`, { definition: PRO });
  expect(none.body).toMatchObject({ size: 0, sample: [], evaluated: 0 });
  const { body } = await audience('Buyers');
  const some = await post(`${HOME}/audiences:preview`, { definition: { not: { member_of: body['name'] } } });
  expect(some.body).toEqual({ size: 1, sample: ['user-1'], evaluated: 1, history_from: body['history_from'] });
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
