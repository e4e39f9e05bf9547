import { deliveryId } from '../../model/delivery.ts';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { NOW } from '../support/config-api.ts';
import { messageOf } from '../support/engine.ts';
import { hooks, type Json, startDeliveryWorld } from '../support/delivery-world.ts';
import { momentAt } from '../support/still-clock.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const POLL = { interval: 5 };
const A = 'https://a.test/hook';
const B = 'https://b.test/hook';

test('D-30, D-32: a failed delivery is sent again, the same to the byte', async () => {
  let status = 400;
  const world = await startDeliveryWorld(() => answers(status));
  await world.send({ messageId: 'm1' });
  await world.until('failed');
  status = 200;
  const replayed = await world.post('/deliveries/1:replay');
  expect(replayed).toMatchObject({ state: expect.stringMatching(/^(pending|trying)$/), replay_count: 1 });
  const story = await world.until('delivered');
  expect(story).toMatchObject({ replay_count: 1, round_count: 2, message_id: 'm1' });
  expect(statuses(story)).toEqual([[400], [200]]);
  const [first, second] = world.transport.posts.map(({ request }) => String(request.body));
  expect(second).toBe(first);
  expect(story['explanation'].timeline.map(({ text }: Json) => text)).toEqual([
    'The track event was accepted.',
    expect.stringContaining('answered 400 (round 1'),
    'It was replayed: a new window of four hours began, for all webhooks.',
    expect.stringContaining('answered 200 (round 2'),
    expect.stringContaining('after its last replay'),
  ]);
});

test('AUD-8: what an audience told is refused once a later value was told, with words that say what to do', async () => {
  const world = await startDeliveryWorld(() => answers(400));
  const computation = 'workspaces/main/audiences/aud_1';
  const tell = async (value: string): Promise<void> => {
    const { number: sync } = await world.store.startSync({ computation, now: NOW });
    const event = { type: 'identify', messageId: value, userId: 'u1', event: '' } as const;
    const message = { ...messageOf(world.clock, event), source: computation };
    const { erasures } = await world.store.told({ computation, destination: world.destination, limit: 1 });
    const told = {
      computation,
      sync,
      destination: world.destination,
      erasures,
      forgotten: [],
      silenced: [],
      cursor: { destinations: [] },
    };
    await world.store.tell({ ...told, tellings: [{ user: 'u1', value, message }], now: NOW });
    await world.store.endSync({ computation, number: sync, state: 'DONE', now: NOW });
  };
  await tell('true');
  await tell('false');
  const answer = await world.api.call('POST', `/${world.destination}/deliveries/1:replay`);
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 3, error: expect.stringContaining('a later value was told') },
  });
  expect(await world.get('/deliveries/1')).toMatchObject({ state: 'cancelled', replay_count: 0 });
});

test('D-30: what was delivered can be sent again too', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({});
  await world.until('delivered');
  await world.post('/deliveries/1:replay');
  await expect.poll(() => world.until('delivered').then(statuses), POLL).toEqual([[200], [200]]);
});

test('D-23: a replay has four hours and a schedule of its own', async () => {
  const world = await startDeliveryWorld(() => answers(400));
  await world.send({});
  await world.until('failed');
  await world.advance(10 * HOUR);
  const replayedAt = NOW + 10 * HOUR;
  world.transport.posts.length = 0;
  const claim = await world.store.replay({
    destination: world.destination,
    delivery: deliveryId('1'),
    at: momentAt(replayedAt),
  });
  expect(claim).toBe('replayed');
  const due = { which: 'due', now: replayedAt, destination: world.destination, limit: 1 } as const;
  const { claims } = await world.store.claim(due);
  expect(claims).toMatchObject([
    { round: 2, earlierRounds: 1, tries: 0, closed: [], message: { receivedAt: replayedAt } },
  ]);
  expect(claims[0]?.message.event.receivedAt).toBe(new Date(NOW).toISOString());
});

test('D-23: the waits of a replay begin anew', async () => {
  const plan = [503, 503, 503, 400, 503];
  const world = await startDeliveryWorld(() => answers(plan.shift() ?? 200));
  const afterRound = async (round: number): Promise<Json> => {
    await expect.poll(() => world.until('pending').then((story) => story['round_count']), POLL).toBe(round);
    return world.until('pending');
  };
  await world.send({});
  for (const [index, wait] of [10, 20, 40].entries()) {
    await afterRound(index + 1);
    await world.advance(wait * SECOND);
  }
  await world.until('failed');
  await world.post('/deliveries/1:replay');
  const { due_time: due } = await afterRound(5);
  expect(Date.parse(due) - world.clock.now()).toBe(10 * SECOND);
});

test('D-22: a replay tries the webhooks again that had refused', async () => {
  let status = 400;
  const world = await startDeliveryWorld(() => answers(status), hooks(A, B));
  await world.send({});
  await world.until('failed');
  status = 200;
  await world.post('/deliveries/1:replay');
  await world.until('delivered');
  expect(world.transport.posts.map(({ request }) => request.url)).toEqual([A, B, A, B]);
});

test('a delivery that has not ended is not replayed', async () => {
  const world = await startDeliveryWorld(() => answers(503));
  await world.send({});
  await world.until('pending');
  const answer = await world.api.call('POST', `/${world.destination}/deliveries/1:replay`);
  expect(answer).toMatchObject({ status: 400, body: { code: 3, error: expect.stringContaining('has not ended') } });
  expect((await world.api.call('POST', `/${world.destination}/deliveries/2:replay`)).status).toBe(404);
  expect(await world.until('pending')).toMatchObject({ replay_count: 0 });
});

test('D-30: what a disabled destination cancelled is replayed once it is enabled', async () => {
  const world = await startDeliveryWorld(() => answers(503));
  await world.send({});
  await world.until('pending');
  const enable = (enabled: boolean) =>
    world.api.ok('PATCH', `/${world.destination}`, {
      destination: { enabled },
      update_mask: { paths: ['destination.enabled'] },
    });
  await enable(false);
  await world.advance(10 * SECOND);
  const cancelled = await world.until('cancelled');
  expect(cancelled['explanation'].summary).toContain('a replay sends it again');
  const refused = await world.api.call('POST', `/${world.destination}/deliveries/1:replay`);
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('is disabled') } });
  await enable(true);
  await world.post('/deliveries/1:replay');
  expect(await world.until('pending')).toMatchObject({ replay_count: 1, round_count: 3 });
});

/** The statuses of each round. */
function statuses(story: Json): number[][] {
  return story['rounds'].map(({ attempts }: Json) => attempts.map(({ status }: Json) => status));
}
