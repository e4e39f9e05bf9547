import { expect, test } from 'vitest';
import { openEnvelope } from '../../events/normalize-calls.ts';
import { isWanted } from '../../events/route.ts';
import { startConfigApi, withSource } from '../support/config-api.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { type DeliveryWorld, hooks, type Json, startDeliveryWorld } from '../support/delivery-world.ts';
import { eventOf, startEngine, targetOf } from '../support/engine.ts';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { destinationNamed, MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';

const PARENT = 'workspaces/main/sources/js/destinations';

async function refusal(fields: object): Promise<unknown> {
  const api = await startConfigApi();
  await withSource(api);
  const { status, body } = await api.call('POST', `/${PARENT}`, { destination: fields });
  return status === 200 ? body : `${status} ${String(body['error'])}`;
}

test.each([
  [{ name: `${PARENT}/webhooks-eu` }, 'webhooks-eu'],
  [{ name: `${PARENT}/acme`, catalog_name: 'catalog/destinations/webhooks' }, 'acme'],
])('HOOK-19, D-11: %j is a webhooks destination, with its settings', async (fields, slug) => {
  const made = await refusal(fields);
  expect(made).toMatchObject({
    catalog_name: 'catalog/destinations/webhooks',
    deliverable: true,
    display_name: slug,
    config: ['sharedSecret', 'globalHook', 'hooks'].map((key) => ({ name: `${PARENT}/${slug}/config/${key}` })),
  });
});

test('HOOK-19: who does not ask sees nothing new', async () => {
  expect(await refusal({ name: `${PARENT}/webhooks` })).not.toHaveProperty('catalog_name');
  const stored = await refusal({ name: `${PARENT}/webhook`, config: [{ name: 'sharedSecert', value: 'x' }] });
  expect(stored).toMatchObject({ deliverable: false, config: [{ display_name: 'sharedSecert' }] });
  expect(stored).not.toHaveProperty('catalog_name');
});

test.each([
  [
    { name: `${PARENT}/acme`, catalog_name: 'catalog/destinations/webhook' },
    'did you mean catalog/destinations/webhooks',
  ],
  [{ name: `${PARENT}/acme`, catalog_name: 'webhooks' }, 'names no destination of the catalog, got "webhooks"'],
  [
    { name: `${PARENT}/webhooks-eu`, catalog_name: 'catalog/destinations/amplitude' },
    'must be catalog/destinations/webhooks',
  ],
  [{ name: `${PARENT}/webhooks-eu`, config: [{ name: 'sharedSecert', value: 'x' }] }, 'did you mean sharedSecret?'],
  [{ name: `${PARENT}/webhooks-eu`, enabled: true }, 'there is no webhook yet'],
])('HOOK-19, CFG-14: %j is rejected', async (fields, words) => {
  const error = await refusal(fields);
  expect(error).toMatch(/^400 /);
  expect(error).toContain(words);
});

test('HOOK-19: an update is held to the kind as which the destination was made', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const acme = { name: `${PARENT}/acme`, catalog_name: 'catalog/destinations/webhooks' };
  await api.ok('POST', `/${PARENT}`, { destination: acme });
  await api.ok('POST', `/${PARENT}`, { destination: { name: `${PARENT}/other` } });
  const misspelt = [{ name: 'sharedSecert', value: 'x' }];
  const body = { destination: { config: misspelt }, update_mask: { paths: ['destination.config'] } };
  expect((await api.call('PATCH', `/${PARENT}/acme`, body)).status).toBe(400);
  expect((await api.call('PATCH', `/${PARENT}/other`, body)).status).toBe(200);
  expect((await api.call('PATCH', `/${PARENT}/none`, body)).status).toBe(404);
  const kind = { destination: { catalog_name: '' }, update_mask: { paths: ['destination.catalog_name'] } };
  expect((await api.call('PATCH', `/${PARENT}/acme`, kind)).status).toBe(400);
});

test('HOOK-19: what an older version stored as webhooks-… without a look at its settings delivers nothing', async () => {
  const api = await startConfigApi();
  await withSource(api);
  const [name, time] = [`${PARENT}/webhooks-old`, '2026-11-20T00:00:00.000Z'];
  const setting = { name: `${name}/config/hooks`, display_name: 'hooks', type: 'string', value: 'none' } as const;
  const times = { create_time: time, update_time: time };
  const row = { name, parent: 'workspaces/main/sources/js', display_name: 'webhooks-old', enabled: true, ...times };
  await api.store.create('destinations', { ...row, connection_mode: 'CLOUD', config: [setting] });
  expect(await api.ok('GET', `/${name}`)).toMatchObject({ deliverable: false });
  expect(api.directory.source(row.parent)).toMatchObject({ routes: [], undeliverable: [{ name }] });
});

/** A destination that is called Acme, beside one that has the published name alone. */
test.each([
  ['{}', true, true],
  ['{"Acme":false}', false, true],
  ['{"Webhooks":false}', false, false],
  ['{"all":false}', false, false],
  ['{"all":false,"Acme":true}', true, false],
  ['{"Webhooks":false,"Acme":true}', true, false],
  ['{"Webhooks":false,"Acme":{}}', true, false],
  ['{"all":false,"Webhooks":true,"Acme":false}', false, true],
  ['{"acme":false}', true, true],
])('HOOK-19, ING-5: with integrations %s Acme gets the event: %s, the other: %s', (integrations, acme, other) => {
  const said = JSON.parse(integrations);
  expect([isWanted(['Acme', 'Webhooks'], said), isWanted(['Webhooks'], said)]).toEqual([acme, other]);
});

/** The world's destination `webhooks`, and one that goes to `b.test`. */
async function startTwo(config: object[] = hooks('https://b.test/hook')): Promise<DeliveryWorld> {
  const world = await startDeliveryWorld(({ request: { url } }) => {
    const status = url.includes('b.test') ? 500 : 200;
    return { afterMs: 1, result: { kind: 'answered', status, excerpt: '' } };
  });
  const destination = { name: `${PARENT}/webhooks-b`, display_name: 'B', enabled: true, config };
  await world.api.ok('POST', `/${PARENT}`, { destination });
  return world;
}

/** What a destination has of deliveries, once none is under way. */
async function settled(world: DeliveryWorld, slug: string): Promise<Json[]> {
  const listed = async (): Promise<Json[]> => {
    await world.advance(10);
    const deliveries: Json[] = Object(await world.api.ok('GET', `/${PARENT}/${slug}/deliveries`)).deliveries;
    return deliveries;
  };
  await expect.poll(async () => (await listed()).some(({ state }) => state === 'trying'), { interval: 5 }).toBe(false);
  return listed();
}

test('HOOK-19: an event goes to each destination, which has an outcome, a log and a secret of its own', async () => {
  const world = await startTwo([...hooks('https://b.test/hook'), { name: 'sharedSecret', value: 'of-b' }]);
  await world.send({});
  expect(await settled(world, 'webhooks')).toMatchObject([{ state: 'delivered', round_count: 1 }]);
  expect(await settled(world, 'webhooks-b')).toMatchObject([{ state: 'pending', round_count: 1 }]);
  const sent = world.transport.posts.map(({ request: { url, headers } }) => `${url} ${'X-Signature' in headers}`);
  expect(sent.toSorted()).toEqual(['https://a.test/hook false', 'https://b.test/hook true']);
});

test('HOOK-19: filters, switches and integrations are of one destination', async () => {
  const world = await startTwo();
  const filter = { if: 'event = "Secret"', actions: [{ type: 'drop_event' }], enabled: true };
  await world.api.ok('POST', `/${PARENT}/webhooks-b/filters`, { filter });
  await world.send({ messageId: 'dropped', event: 'Secret' });
  await world.send({ messageId: 'not-b', integrations: { B: false } });
  await world.send({ messageId: 'only-b', integrations: { Webhooks: false, B: true } });
  const off = { destination: { enabled: false }, update_mask: { paths: ['destination.enabled'] } };
  await world.api.ok('PATCH', `/${PARENT}/webhooks-b`, off);
  await world.send({ messageId: 'off' });
  expect(await settled(world, 'webhooks-b')).toMatchObject([{ message_id: 'only-b' }]);
  const ids = (await settled(world, 'webhooks')).map(({ message_id: id }) => String(id));
  expect(ids.toSorted()).toEqual(['dropped', 'not-b', 'off']);
});

test('HOOK-19: one that keeps failing is parked alone', async () => {
  const world = await startTwo();
  const events = 3 * DEFAULT_POLICY.parkAfter;
  for (let index = 0; index < events; index += 1) {
    await world.send({ messageId: `m${index}` });
    await world.advance(10);
  }
  const states = (await settled(world, 'webhooks')).map(({ state }) => String(state));
  expect(states).toEqual(Array(events).fill('delivered'));
  const tried = world.transport.posts.filter(({ request: { url } }) => url.includes('b.test'));
  expect(tried.length).toBeLessThan(2 * DEFAULT_POLICY.parkAfter);
});

/** What anybody can learn of the world's first destination, after twenty minutes with an event in each. */
async function storyOfFirst(world: DeliveryWorld) {
  for (let index = 0; index < 20; index += 1) {
    await world.send({ messageId: `m${index}` });
    await world.advance(60_000);
  }
  const [deliveries, queue, summary] = [
    await settled(world, 'webhooks'),
    await world.get('/queue'),
    await world.get('/metrics:getSummary'),
  ];
  const posts = world.transport.posts.filter(({ request: { url } }) => url.includes('a.test'));
  return {
    log: deliveries.map(({ name: _numbered, ...told }) => told),
    queue,
    summary,
    sent: posts.map(({ at, endedAt, request }) => [at, endedAt, Buffer.from(request.body).toString('utf8')]),
  };
}

test('HOOK-19: queue, circuit, log, metrics and times of a destination are the same beside one that fails', async () => {
  const beside = await startTwo();
  const story = await storyOfFirst(beside);
  expect(await beside.api.ok('GET', `/${PARENT}/webhooks-b/queue`)).toMatchObject({
    circuit: { state: 'open' },
    waiting_count: 20,
  });
  const failing = await beside.api.ok('GET', `/${PARENT}/webhooks-b/metrics:getSummary`);
  expect(failing).toMatchObject({ successes: 0 });
  const alone = await startDeliveryWorld(() => ({ afterMs: 1, ...answers(200) }));
  expect(story).toEqual(await storyOfFirst(alone));
  expect(story).toMatchObject({
    queue: { circuit: { state: 'closed' }, waiting_count: 0 },
    summary: { successes: 20, failures: 0, retries: 0 },
  });
  expect(story.sent).toHaveLength(20);
});

/** A source whose events go to so many destinations, and what it stores. */
async function startWide(destinations: number) {
  const [config, deliveries, dispatcher] = [new MemoryConfigStore(), openIngestionStorage(), new RecordingDispatcher()];
  const source = PARENT.replace('/destinations', '');
  await config.create('sources', sourceNamed(source, 'k'));
  const names = Array.from({ length: destinations }, (_, index) => `${PARENT}/to-${index}`);
  for (const name of names) {
    const made = { catalog_name: 'catalog/destinations/webhooks' };
    await config.create('destinations', { ...destinationNamed(name), ...made });
  }
  const started = await startPipeline({ config, deliveries, dispatcher, clock: stillClock(() => 0) });
  return { ...started, source, names, deliveries, dispatcher };
}

test('HOOK-19: routing to many destinations stores one message, and a delivery for each, in one commit', async () => {
  const { pipeline, source, names, deliveries, dispatcher } = await startWide(100);
  await pipeline.accept({ source, events: [eventOf(0)] });
  expect(deliveries.calls).toMatchObject([[{ routes: names.map((destination) => ({ destination })) }]]);
  expect(dispatcher.claims.map(({ destination }) => destination)).toEqual(names);
});

test('HOOK-19: a batch for many destinations is stored in parts, so that others are stored between them', async () => {
  const { pipeline, source, deliveries, dropped } = await startWide(1_000);
  const calls = Array.from({ length: 23 }, (_, index) => ({ type: 'track', userId: 'ada', event: `E${index}` }));
  const envelope = openEnvelope({}, { receivedAt: 0, sender: 'server' });
  const sourceNow = () => Promise.resolve({ name: source });
  await pipeline.receive({ source, sourceNow, envelope, calls: [...calls, 'no call'], bodyBytes: 1_000 });
  const parts = deliveries.calls.map((acceptances) => acceptances.flatMap(({ routes }) => routes).length);
  expect(parts).toEqual([5_000, 5_000, 5_000, 5_000, 3_000]);
  const stored = deliveries.calls.flat().map(({ message: { event } }) => event['event']);
  expect(stored).toEqual(calls.map(({ event }) => event));
  expect([...dropped.of(source).values()]).toEqual([1]);
});

test('HOOK-19: an event for a thousand destinations is answered before most of it is sent, and all of it is', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${PARENT}/webhooks-${index}`);
  const engine = await startEngine(() => answers(200));
  for (const name of names) engine.targets.set(name, targetOf(`https://example.test/${name}`));
  await engine.send({}, ...names);
  expect(engine.transport.posts.length).toBeLessThan(100);
  await engine.clock.advance(1_000);
  expect(engine.transport.posts.length).toBe(1_000);
});
