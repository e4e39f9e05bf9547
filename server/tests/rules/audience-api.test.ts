import { expect, test } from 'vitest';
import { startWorld } from '../contract/world.ts';
import { apiOf, errorOf, HOME, PRO, SPENT, startApi } from '../support/audience-api.ts';

const WEBHOOKS = `${HOME}/sources/js/destinations/webhooks`;

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
  const missing = `400 audience.destinations[0]: ${WEBHOOKS} does not exist: create it first, or leave it out`;
  expect(errorOf(await set([WEBHOOKS]))).toBe(missing);
  for (const slug of ['webhooks', 'other']) {
    const name = `${HOME}/sources/js/destinations/${slug}`;
    await post(`${HOME}/sources/js/destinations`, { destination: { name } });
  }
  expect((await set([WEBHOOKS, WEBHOOKS])).body).toMatchObject({ destinations: [WEBHOOKS] });
  const other = WEBHOOKS.replace('webhooks', 'other');
  expect(errorOf(await set([other]))).toBe(`400 audience.destinations[0]: ${other} is no webhooks destination`);
  expect(errorOf(await set([WEBHOOKS.replace('main', 'other')]))).toContain(
    '400 audience.destinations[0] must be a name of the form ',
  );
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
  expect(first).toMatchObject({ name: `${name}/syncs/1`, state: 'RUNNING', sent: 0, left_out: 0, delivered: 0 });
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
