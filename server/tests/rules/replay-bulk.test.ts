import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { replayMade } from '../support/replay-made.ts';
import { type DeliveryWorld, type Json, startDeliveryWorld } from '../support/delivery-world.ts';

const POLL = { interval: 5 };
const SLOW = { filter: {}, dryRun: false, perSecond: 1, createdAt: 0 } as const;

/** Twelve events of which every third was delivered; the receiver takes everything from then on. */
async function worldWithFailures(): Promise<DeliveryWorld> {
  let isWell = false;
  const world = await startDeliveryWorld(({ request }) => {
    return answers(isWell || String(request.body).includes('good') ? 200 : 400);
  });
  for (let index = 0; index < 12; index += 1) {
    await world.send({ messageId: `m${index}`, userId: `u${index % 2}`, event: index % 3 === 0 ? 'good' : 'bad' });
  }
  await expect.poll(() => countOf(world, 'failed'), POLL).toBe(8);
  await expect.poll(() => countOf(world, 'delivered'), POLL).toBe(4);
  isWell = true;
  world.transport.posts.length = 0;
  return world;
}

test('C-12: a dry run counts what would be sent, and sends nothing', async () => {
  const world = await worldWithFailures();
  const created = await world.post('/replays', { filter: { user_id: 'u1' }, dry_run: true });
  expect(created).toMatchObject({ dry_run: true, filter: { user_id: 'u1' } });
  const done = await finished(world, created['name']);
  expect(done).toMatchObject({ examined: 12, matched: 4, replayed: 0, end_time: expect.any(String) });
  expect(await countOf(world, 'failed')).toBe(8);
  expect(world.transport.posts).toEqual([]);
});

test('C-12: a bulk replay sends what failed again, and nothing that succeeded', async () => {
  const world = await worldWithFailures();
  const done = await finished(world, (await world.post('/replays', {}))['name']);
  expect(done).toMatchObject({ examined: 12, matched: 8, replayed: 8, filter: {}, per_second: 50 });
  await expect.poll(() => countOf(world, 'delivered'), POLL).toBe(12);
  const sent = world.transport.posts.map(({ request }) => JSON.parse(String(request.body)).messageId);
  expect(sent, 'oldest first').toEqual(['m1', 'm2', 'm4', 'm5', 'm7', 'm8', 'm10', 'm11']);
});

test('what succeeded is sent again if asked for by name', async () => {
  const world = await worldWithFailures();
  const done = await finished(world, (await world.post('/replays', { filter: { state: 'delivered' } }))['name']);
  expect(done).toMatchObject({ matched: 4, filter: { state: 'delivered' } });
});

test('a bulk replay keeps to its pace', async () => {
  const world = await worldWithFailures();
  const { name } = await world.post('/replays', { per_second: 2 });
  const replayedAfter = async (count: number): Promise<void> => {
    await expect.poll(async () => (await read(world, name))['replayed'], POLL).toBe(count);
  };
  await replayedAfter(1);
  await world.advance(499);
  expect(await read(world, name)).toMatchObject({ state: 'running', replayed: 1 });
  await world.advance(1);
  await replayedAfter(2);
  await world.advance(500);
  await replayedAfter(3);
});

test('a cancelled bulk replay sends no more, and what it sent stays sent', async () => {
  const world = await worldWithFailures();
  const { name } = await world.post('/replays', { per_second: 1 });
  await expect.poll(async () => (await read(world, name))['replayed'], POLL).toBe(1);
  const cancelled = await world.api.ok('POST', `/${name}:cancel`);
  expect(cancelled).toMatchObject({ state: 'cancelled', replayed: 1, end_time: expect.any(String) });
  await world.advance(60_000);
  expect(await read(world, name)).toEqual(cancelled);
  expect(await world.api.ok('POST', `/${name}:cancel`), 'one that has ended stays as it is').toEqual(cancelled);
  await expect.poll(() => countOf(world, 'delivered'), POLL).toBe(5);
});

test('of a workspace a hundred run at once: one more is refused with what makes room', async () => {
  const world = await worldWithFailures();
  for (let index = 0; index < 100; index += 1)
    await replayMade(world.store, { ...SLOW, destination: world.destination });
  const refused = await world.api.call('POST', `/${world.destination}/replays`, { dry_run: true });
  const error =
    'workspaces/main already has the maximum number of running replays (100); cancel one, or wait until one has finished';
  expect(refused).toMatchObject({ status: 400, body: { code: 3, error } });
  await world.api.ok('POST', `/${world.destination}/replays/7:cancel`);
  expect(await world.post('/replays', { dry_run: true })).toMatchObject({ dry_run: true });
});

test('replays are listed oldest first, page by page', async () => {
  const world = await worldWithFailures();
  for (let index = 0; index < 3; index += 1) await world.post('/replays', { dry_run: true });
  const first = await world.get('/replays?page_size=2');
  const second = await world.get(`/replays?page_token=${first['next_page_token']}`);
  const names = [...first['replays'], ...second['replays']].map(({ name }: Json) => name);
  expect(names).toEqual([1, 2, 3].map((id) => `${world.destination}/replays/${id}`));
  expect(second['next_page_token']).toBe('');
});

test.each([
  ['a state that has not ended', { filter: { state: 'pending' } }],
  ['a pace of nothing', { per_second: 0 }],
  ['a time that is none', { filter: { from: 'yesterday' } }],
  ['a user whom no event can name', { filter: { user_id: 'é'.repeat(16_385) } }],
  ['an event that none can be', { filter: { event: 'x'.repeat(32_769) } }],
])('%s is refused', async (_what, body) => {
  const world = await startDeliveryWorld(() => answers(200));
  const answer = await world.api.call('POST', `/${world.destination}/replays`, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } });
  expect((await world.api.call('GET', `/${world.destination}/replays/1`)).status).toBe(404);
  expect((await world.api.call('POST', `/${world.destination}/replays/1:cancel`)).status).toBe(404);
});

test.each([
  [{ filter: { states: ['failed'] } }, 'filter has no field "states": did you mean state?'],
  [{ filter: { destination: 'x' } }, 'filter has no field "destination": it has state, type, event, user_id, from, to'],
  [{ filters: { state: 'failed' } }, 'the body has no field "filters": did you mean filter?'],
])('%j is refused by its name: without it more would be sent again', async (sent, words) => {
  const world = await startDeliveryWorld(() => answers(200));
  const { status, body } = await world.api.call('POST', `/${world.destination}/replays`, sent);
  expect([status, body['error']]).toEqual([400, words]);
});

function read(world: DeliveryWorld, name: string): Promise<Json> {
  return world.api.ok('GET', `/${name}`);
}

async function finished(world: DeliveryWorld, name: string): Promise<Json> {
  const state = async (): Promise<unknown> => {
    await world.advance(100);
    return (await read(world, name))['state'];
  };
  await expect.poll(state, POLL).toBe('finished');
  return read(world, name);
}

async function countOf(world: DeliveryWorld, state: string): Promise<number> {
  await world.clock.advance(0);
  return (await world.get(`/deliveries?state=${state}`))['deliveries'].length;
}
