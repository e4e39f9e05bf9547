/**
 * Shaped bodies are not those of the contract.
 * @module-tag broken-bodies
 */
import { expect, test } from 'vitest';
import { signatureOf } from '../../delivery/signatures.ts';
import { startConfigApi, withSource, withWebhooks } from '../support/config-api.ts';
import { type DeliveryWorld, hooks, startDeliveryWorld } from '../support/delivery-world.ts';

/** The same operation so often. */
function times(count: number, operation: object): object[] {
  return Array.from({ length: count }, () => operation);
}

const answered = { kind: 'answered', status: 200, excerpt: '' } as const;
const refused = { ...answered, status: 503 };

const SHAPE = [
  { op: 'set', path: 'currency', value: '"EUR"' },
  { op: 'rename', from: 'properties.total', to: 'amount' },
  { op: 'drop', paths: ['properties', 'context'] },
];
const config = (value: unknown): object[] => [...hooks(), { name: 'shape', value }];

function bytesIn({ transport }: DeliveryWorld): string[] {
  return transport.posts.map(({ request }) => Buffer.from(request.body).toString());
}

function bodiesIn(world: DeliveryWorld): Record<string, unknown>[] {
  return bytesIn(world).map((body): Record<string, unknown> => JSON.parse(body));
}

async function setShape({ api, destination }: DeliveryWorld, value: unknown): Promise<void> {
  const changes = { config: [{ name: 'shape', value }] };
  await api.ok('PATCH', `/${destination}`, { destination: changes, update_mask: { paths: ['destination.config'] } });
}

test('HOOK-27, HOOK-5, HOOK-7: a destination gets the body that its shape makes, and the signature is of those bytes', async () => {
  const world = await startDeliveryWorld(
    () => ({ result: answered }),
    [...config(SHAPE), { name: 'sharedSecret', value: 's' }],
  );
  await world.send({ messageId: 'm1', properties: { total: 5, card: '4111' } });
  await world.until('delivered');
  expect(bodiesIn(world)).toMatchObject([{ messageId: 'm1', type: 'track', amount: 5, currency: 'EUR' }]);
  expect(bodiesIn(world)[0]).not.toHaveProperty('properties');
  const request = world.transport.posts[0]?.request;
  expect(request?.headers['X-Signature']).toBe(signatureOf('s', request?.body ?? new Uint8Array()));
});

test('HOOK-9: a retry sends the same bytes, and so does each webhook of a round', async () => {
  let calls = 0;
  const world = await startDeliveryWorld(
    () => ({ result: (calls += 1) <= 2 ? refused : answered }),
    [...hooks('https://a.test/hook', 'https://b.test/hook'), { name: 'shape', value: SHAPE }],
  );
  await world.send({ messageId: 'm1', properties: { total: 5 } });
  await world.until('pending');
  await world.advance(15_000);
  await world.until('delivered');
  expect(bytesIn(world)).toHaveLength(4);
  expect(new Set(bytesIn(world)).size).toBe(1);
});

test('HOOK-27, D-13: a shape that is changed between two tries holds for the second', async () => {
  let calls = 0;
  const world = await startDeliveryWorld(() => ({ result: (calls += 1) === 1 ? refused : answered }), config(SHAPE));
  await world.send({ messageId: 'm1', properties: { total: 5 } });
  await world.until('pending');
  await setShape(world, []);
  await world.advance(15_000);
  await world.until('delivered');
  expect(bodiesIn(world)).toMatchObject([{ amount: 5 }, { messageId: 'm1', properties: { total: 5 } }]);
});

test('HOOK-27: a shape sees what filters left, and nothing else', async () => {
  const world = await startDeliveryWorld(
    () => ({ result: answered }),
    config([{ op: 'set', path: 'copy', value: '[properties.card, properties.total]' }]),
  );
  const hide = { actions: [{ type: 'blacklist_fields', fields: { properties: { fields: ['card'] } } }] };
  await world.api.ok('POST', `/${world.destination}/filters`, { filter: { if: 'all', enabled: true, ...hide } });
  await world.send({ properties: { card: '4111', total: 5 } });
  await world.until('delivered');
  expect(bodiesIn(world)).toMatchObject([{ copy: [null, 5] }]);
});

test('a shape that cannot be used is refused with the place in the request, and an empty one ends it', async () => {
  const api = await startConfigApi();
  const name = await withWebhooks(api);
  const put = (value: unknown) =>
    api.call('PATCH', `/${name}`, {
      destination: { config: [{ name: 'shape', value }] },
      update_mask: { paths: ['destination.config'] },
    });
  const bad = await put([{ op: 'set', path: 'a', value: 'b =' }]);
  expect([bad.status, bad.body['error']]).toEqual([
    400,
    'destination.config[0].value[0].value column 4: expected a value, got the end of the condition',
  ]);
  expect((await put(SHAPE)).status).toBe(200);
  const { config: stored } = await api.ok('GET', `/${name}`);
  expect(stored).toContainEqual({
    name: `${name}/config/shape`,
    display_name: 'Shape of bodies',
    type: 'mixed',
    value: SHAPE,
  });
  expect((await put([])).status).toBe(200);
});

const INPUT = JSON.stringify({ type: 'track', event: 'E', messageId: 'm1', properties: { total: 5 } });

test('HOOK-27: a preview shows the body that a shape makes', async () => {
  const api = await startConfigApi();
  const { output, undecided } = await api.ok('POST', '/shapes/preview', { shape: SHAPE, input: INPUT });
  expect(undecided).toBe(false);
  expect(JSON.parse(String(output))).toMatchObject({
    version: 1,
    type: 'track',
    event: 'E',
    amount: 5,
    currency: 'EUR',
  });
});

test.each([
  ['a bad operation', { shape: [{ op: 'drop' }], input: INPUT }, "shape[0] must have required property 'paths'"],
  [
    'an expression that cannot be read',
    { shape: [{ op: 'set', path: 'a', value: 'b =' }], input: INPUT },
    'shape[0].value column 4',
  ],
  ['no event', { shape: [], input: '[]' }, 'input must be the JSON text of an object'],
])('a preview of %s is refused with the place', async (_what, body, error) => {
  const api = await startConfigApi();
  const answer = await api.call('POST', '/shapes/preview', body);
  expect([answer.status, answer.body['error']]).toEqual([400, expect.stringContaining(error)]);
});

/** Over the bound on output, and yet small enough to be written out by a router that has none: then an assertion fails. */
const DOUBLING = times(16, { op: 'set', path: 'x', value: '[x, x, properties]' });

test('SAFE-2: a preview of what exceeds the budget says so, and shows what would be sent', async () => {
  const api = await startConfigApi();
  const shape = DOUBLING;
  const { output, undecided } = await api.ok('POST', '/shapes/preview', { shape, input: INPUT });
  expect(undecided).toBe(true);
  expect(Object.keys(JSON.parse(String(output)))).toEqual(['version', 'type', 'timestamp', 'messageId']);
});

test('SAFE-2: a body that was reduced is counted with its destination', async () => {
  const shape = DOUBLING;
  const world = await startDeliveryWorld(() => ({ result: answered }), config(shape));
  await world.send({ messageId: 'm1', properties: { total: 5 } });
  await world.until('delivered');
  expect(Object.keys(bodiesIn(world)[0] ?? {}).toSorted()).toEqual(['messageId', 'timestamp', 'type', 'version']);
  expect(world.api.undecided.of(world.destination)?.count).toBe(1);
});

test('SAFE-3: a token that may only read sees the operations of a shape, and no constant in it', async () => {
  const api = await startConfigApi();
  const parent = await withSource(api);
  const name = `${parent}/destinations/webhooks-acme`;
  const destination = { name, config: config([{ op: 'set', path: 'token', value: '"c4nary"' }]) };
  await api.ok('POST', `/${parent}/destinations`, { destination });
  expect(JSON.stringify(await api.ok('GET', `/${name}`))).toContain('c4nary');
  const wanted = { access_token: { description: 'reader', scopes: 'workspace:read' } };
  const { token } = await api.ok('POST', '/access-tokens', wanted);
  const seen = await api.call('GET', `/${name}`, undefined, { token: String(token) });
  expect(JSON.stringify(seen.body)).toContain('[redacted]');
  expect(JSON.stringify(seen.body)).not.toContain('c4nary');
});
