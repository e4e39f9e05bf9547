import { expect, test } from 'vitest';
import { signatureOf } from '../../delivery/signatures.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../support/delivery-world.ts';
import { eventOf } from '../support/engine.ts';
import { startPipeline } from '../support/pipeline.ts';
import { openIngestionStorage } from '../support/ingestion-delivery-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';

const answered = { kind: 'answered', status: 200, excerpt: '' } as const;
const refused = { ...answered, status: 503 };

async function filter({ api, destination }: DeliveryWorld, fields: object): Promise<string> {
  const made = await api.ok('POST', `/${destination}/filters`, { filter: { if: 'all', enabled: true, ...fields } });
  return String(made['name']);
}

function bodies({ transport }: DeliveryWorld): Record<string, unknown>[] {
  return transport.posts.map(({ request }): Record<string, unknown> =>
    JSON.parse(Buffer.from(request.body).toString()),
  );
}

const HIDE = { actions: [{ type: 'blacklist_fields', fields: { properties: { fields: ['card'] } } }] };

test('a destination gets an event without the fields that its filters leave out', async () => {
  const world = await startDeliveryWorld(() => ({ result: answered }));
  await filter(world, HIDE);
  await world.send({ messageId: 'm1', properties: { card: '4111', total: 5 } });
  await world.until('delivered');
  expect(bodies(world)).toMatchObject([{ messageId: 'm1', properties: { total: 5 } }]);
  expect(JSON.stringify(bodies(world))).not.toContain('4111');
});

test('D-13: a filter that comes between two tries holds for the second', async () => {
  let calls = 0;
  const world = await startDeliveryWorld(() => ({ result: (calls += 1) === 1 ? refused : answered }));
  await world.send({ messageId: 'm1', properties: { card: '4111' } });
  await world.until('pending');
  await filter(world, HIDE);
  await world.advance(15_000);
  await world.until('delivered');
  expect(bodies(world).map(({ properties }) => properties)).toEqual([{ card: '4111' }, {}]);
});

test('HOOK-5, HOOK-7: the signature is of the bytes that the filters left', async () => {
  const config = [
    { name: 'hooks', value: [{ hook: 'https://a.test/hook' }] },
    { name: 'sharedSecret', value: 's' },
  ];
  const world = await startDeliveryWorld(() => ({ result: answered }), config);
  await filter(world, HIDE);
  await world.send({ properties: { card: '4111' } });
  await world.until('delivered');
  const request = world.transport.posts[0]?.request;
  expect(request?.headers['X-Signature']).toBe(signatureOf('s', request?.body ?? new Uint8Array()));
});

test('D-13: an event that a filter drops is routed nowhere, from the next event on', async () => {
  const world = await startDeliveryWorld(() => ({ result: answered }));
  const [deliveries, dispatcher] = [openIngestionStorage(), new RecordingDispatcher()];
  const { api, clock } = world;
  const { pipeline } = await startPipeline({ config: api.store, deliveries, dispatcher, clock });
  const source = world.destination.split('/destinations/')[0] ?? '';
  let count = 0;
  const routed = async (event: string): Promise<number> => {
    const arrival = { source, events: [eventOf(0, { messageId: `m${(count += 1)}`, event })] };
    await pipeline.accept(arrival);
    return deliveries.stored.at(-1)?.routes.length ?? 0;
  };
  expect(await routed('Test')).toBe(1);
  const name = await filter(world, { if: 'event = "Test"', actions: [{ type: 'drop_event' }] });
  expect([await routed('Test'), await routed('Order Completed')]).toEqual([0, 1]);
  await world.api.ok('PATCH', `/${name}`, { filter: {}, update_mask: { paths: ['enabled'] } });
  expect(await routed('Test')).toBe(1);
});
