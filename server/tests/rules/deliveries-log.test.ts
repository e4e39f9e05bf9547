import { deliveryId } from '../../model/delivery.ts';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { NOW, startConfigApi, withWebhooks } from '../support/config-api.ts';
import { hooks, type Json, startDeliveryWorld } from '../support/delivery-world.ts';

const A = 'https://a.test/hook';
const B = 'https://b.test/hook';

test('D-31: a delivery tells its rounds, their rules and due times', async () => {
  let calls = 0;
  const world = await startDeliveryWorld(() => answers((calls += 1) === 1 ? 503 : 200));
  await world.send({ messageId: 'm1' });
  const waiting = await world.until('pending');
  expect(waiting).toMatchObject({ due_time: timeAfter(10_000), round_count: 1, receive_time: timeAfter(0) });
  expect(waiting['rounds']).toMatchObject([
    {
      round: 1,
      attempts: [
        {
          webhook: 'https://a.test',
          webhook_number: 1,
          outcome: 'http_5xx',
          status: 503,
          rule: 'temporary_failure_is_retried',
          next: 'retried',
        },
      ],
    },
  ]);
  expect(waiting['rounds'][0].attempts[0].next_due_time).toBe(timeAfter(10_000));
  await world.advance(10_000);
  const done = await world.until('delivered');
  expect(done).toMatchObject({ message_id: 'm1', round_count: 2, end_time: timeAfter(10_000) });
  expect(done['rounds'][1].attempts).toMatchObject([
    { outcome: 'delivered', rule: 'first_success_ends', next: 'delivered' },
  ]);
  expect(done['explanation'].summary).toBe('It was delivered after 2 attempts, 10 s after it was accepted.');
});

test('D-31: webhooks of one URL are told apart by their places', async () => {
  const world = await startDeliveryWorld(() => answers(503), hooks(A, B, A));
  await world.send({});
  await world.advance(0);
  const { rounds } = await world.until('pending');
  const numbers = rounds[0].attempts.map((attempt: Json) => [attempt['webhook'], attempt['webhook_number']]);
  expect(numbers).toEqual([
    ['https://a.test', 1],
    ['https://b.test', 2],
    ['https://a.test', 3],
  ]);
});

test('HOOK-8: a timeout is told as one, with a hint', async () => {
  const world = await startDeliveryWorld(() => ({ afterMs: 60_000, ...answers(200) }));
  await world.send({});
  await world.advance(5_000);
  const { rounds, explanation } = await world.until('pending');
  expect(rounds[0].attempts[0]).toMatchObject({ outcome: 'first_byte_timeout', duration_ms: 5_000, next: 'retried' });
  expect(explanation.timeline[1].text).toContain(
    `Webhook 1 at https://a.test did not answer in time (round 1, after 5 s)`,
  );
  expect(explanation.hints).toEqual([expect.stringContaining('answer first, and work afterwards')]);
});

test('HOOK-10: a failed sibling of a success is told as not tried again', async () => {
  const endpoint = ({ request }: { request: { url: string } }) => ({
    ...answers(request.url === A ? 503 : 200),
    afterMs: request.url === A ? 10 : 100,
  });
  const world = await startDeliveryWorld(endpoint, hooks(A, B));
  await world.send({});
  await world.advance(100);
  const { rounds } = await world.until('delivered');
  expect(rounds[0].attempts.map(({ webhook, next }: Json) => [webhook, next])).toEqual([
    ['https://a.test', 'none'],
    ['https://b.test', 'delivered'],
  ]);
});

test('SAFE-3: secrets, header values, paths and query strings are nowhere in answers', async () => {
  const secrets = ['s3cret-shared', 'Bearer header-t0ken', 'query-k3y', 'p4th-key'];
  const echo = `you sent ${secrets.join(' and ')}, or only header-t0ken, and s3cret-sh`;
  const value = [{ hook: `${A}/p4th-key?key=query-k3y`, headers: { Authorization: 'Bearer header-t0ken' } }];
  const config = [
    { name: 'hooks', value },
    { name: 'sharedSecret', value: 's3cret-shared' },
  ];
  const world = await startDeliveryWorld(() => ({ result: { kind: 'answered', status: 503, excerpt: echo } }), config);
  await world.send({});
  const story = await world.until('pending');
  const shown = JSON.stringify([story, await world.get('/deliveries'), await world.get('/metrics')]);
  for (const hidden of ['s3cret-sh', 'header-t0ken', 'query-k3y', 'p4th-key', '?key'])
    expect(shown).not.toContain(hidden);
  expect(story['rounds'][0].attempts[0]).toMatchObject({
    webhook: 'https://a.test',
    excerpt: expect.stringContaining('you sent'),
  });
  const stored = await world.store.read({ destination: world.destination, delivery: deliveryId('1') });
  const masked = 'you sent [masked] and [masked] and [masked] and [masked], or only [masked], and [masked]';
  expect(stored?.attempts[0]?.excerpt, 'nor in the store').toBe(masked);
});

test('D-31: what becomes a secret later is masked as it is shown', async () => {
  const answer = { kind: 'answered', status: 503, excerpt: 'it says later-s3cret' } as const;
  const world = await startDeliveryWorld(() => ({ result: answer }));
  await world.send({});
  const before = await world.until('pending');
  expect(before['rounds'][0].attempts[0].excerpt).toBe('it says later-s3cret');
  const config = [...hooks(), { name: 'sharedSecret', value: 'later-s3cret' }];
  const destination = { name: world.destination, enabled: true, config };
  await world.api.ok('PATCH', `/${world.destination}`, { destination, update_mask: { paths: ['destination.config'] } });
  const { rounds } = await world.get('/deliveries/1');
  expect(rounds[0].attempts[0].excerpt).toBe('it says [masked]');
});

test('the log is filtered by state, type, event, user and time', async () => {
  const world = await startDeliveryWorld(({ request }) => answers(String(request.body).includes('u2') ? 400 : 200));
  await world.send({ messageId: 'm1', userId: 'u1', event: 'Signed Up' });
  await world.advance(1_000);
  await world.send({ messageId: 'm2', userId: 'u2', event: 'Ordered' });
  await world.advance(1_000);
  const { event: _, ...page } = { event: '', messageId: 'm3', type: 'page', userId: 'u1' } as const;
  await world.send(page);
  await world.until('delivered', '?type=page');
  await world.until('failed', '?user_id=u2');
  const found = async (query: string): Promise<string[]> =>
    (await world.get(`/deliveries${query}`))['deliveries'].map((delivery: Json) => delivery['message_id']);
  expect(await found('')).toEqual(['m3', 'm2', 'm1']);
  expect(await found('?state=failed')).toEqual(['m2']);
  expect(await found('?type=track')).toEqual(['m2', 'm1']);
  expect(await found('?event=Signed%20Up')).toEqual(['m1']);
  expect(await found('?user_id=u1')).toEqual(['m3', 'm1']);
  expect(await found('?user_id=u1&type=page')).toEqual(['m3']);
  expect(await found(`?from=${timeAfter(1_000)}`)).toEqual(['m3', 'm2']);
  expect(await found(`?to=${timeAfter(1_000)}`)).toEqual(['m1']);
  expect(await found(`?from=${timeAfter(1_000)}&to=${timeAfter(2_000)}`)).toEqual(['m2']);
});

test('CFG-6: pages of the log hold each delivery once, while others come', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  const ids = Array.from({ length: 7 }, (_, index) => `m${index}`);
  for (const messageId of ids) await world.send({ messageId });
  const seen: string[] = [];
  let query = '?page_size=3';
  while (query !== '') {
    const { deliveries, next_page_token: token } = await world.get(`/deliveries${query}`);
    seen.push(...deliveries.map((delivery: Json) => delivery['message_id']));
    await world.send({ messageId: `later${seen.length}` });
    query = token === '' ? '' : `?page_token=${token}`;
  }
  expect(seen).toEqual(ids.toReversed());
});

test('D-7: a token of the log is refused with another filter, or damaged', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({ messageId: 'm1' });
  await world.send({ messageId: 'm2' });
  const { next_page_token: token } = await world.get('/deliveries?page_size=1&type=track');
  const ask = (query: string) => world.api.call('GET', `/${world.destination}/deliveries?${query}`);
  expect((await ask(`type=track&page_token=${token}`)).status).toBe(200);
  for (const wrong of [`page_token=${token}`, `type=page&page_token=${token}`, `type=track&page_token=x${token}`]) {
    expect(await ask(wrong)).toMatchObject({ status: 400, body: { error: expect.stringContaining('page_token') } });
  }
  expect(await ask('state=lost')).toMatchObject({ status: 400, body: { error: expect.stringContaining('expired') } });
  expect(await ask('from=yesterday')).toMatchObject({ status: 400, body: { code: 3 } });
});

test('D-8, CFG-15: a log is seen only by who sees its workspace', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({});
  await world.until('delivered');
  await world.api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/second' } });
  const access_token = { description: 'x', scopes: 'workspace', workspace_names: ['workspaces/second'] };
  const { token } = await world.api.ok('POST', '/access-tokens', { access_token });
  const paths = ['/deliveries', '/deliveries/1', '/replays', '/metrics', '/metrics:getSummary', '/metrics/successes'];
  for (const path of paths) {
    const stranger = { token: String(token) };
    expect((await world.api.call('GET', `/${world.destination}${path}`, undefined, stranger)).status).toBe(404);
    expect((await world.api.call('GET', `/${world.destination}${path}`)).status).toBe(
      path === '/replays/1' ? 404 : 200,
    );
    expect((await world.api.call('GET', `/${world.destination.replace('js', 'ios')}${path}`)).status).toBe(404);
  }
  expect((await world.api.call('GET', `/${world.destination}/deliveries/2`)).status).toBe(404);
  expect((await world.api.call('GET', `/${world.destination}/deliveries/one`)).status).toBe(404);
});

test('CFG-13: a token that may only read cannot replay', async () => {
  const world = await startDeliveryWorld(() => answers(200));
  await world.send({});
  const access_token = { description: 'x', scopes: 'workspace:read' };
  const { token } = await world.api.ok('POST', '/access-tokens', { access_token });
  for (const path of ['/deliveries/1:replay', '/replays', '/replays/1:cancel']) {
    const answer = await world.api.call('POST', `/${world.destination}${path}`, {}, { token: String(token) });
    expect(answer).toMatchObject({ status: 403, body: { code: 7 } });
  }
});

test('CFG-19: a router without a log says that it has none', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  expect(await api.call('GET', `/${name}/deliveries`)).toMatchObject({ status: 501, body: { code: 12 } });
});

function timeAfter(ms: number): string {
  return new Date(NOW + ms).toISOString();
}
