import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOfPixel } from '../../ingestion/pixel.ts';
import { type IngestionServer, SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

async function load({ url }: IngestionServer, path: string): Promise<void> {
  const answer = await fetch(url + path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
  // One that a browser or a mail provider kept would be counted once, however often it is shown.
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 6).toString('latin1')).toBe('GIF89a');
  expect(bytes).toHaveLength(42);
}

const CALL = { userId: 'ü1?>', event: 'Email Opened', properties: { subject: 'a~b' }, writeKey: WRITE_KEY };

test.each(['base64', 'base64url'] as const)('ING-4: a pixel carries a call as %s', async (alphabet) => {
  const server = await startIngestion();
  await load(server, `/v1/pixel/track?data=${Buffer.from(JSON.stringify(CALL)).toString(alphabet)}`);
  const { userId, event, properties } = CALL;
  expect(server.store.events).toMatchObject([{ type: 'track', userId, event, properties }]);
});

test('ING-4: a pixel carries a call as dotted keys', async () => {
  const server = await startIngestion();
  const query = 'userId=7&event=Opened&properties.subject=News%20%26%20more&properties.campaign.name=May';
  await load(server, `/v1/pixel/track?${query}&writeKey=${WRITE_KEY}`);
  expect(server.store.events).toMatchObject([
    { userId: '7', event: 'Opened', properties: { subject: 'News & more', campaign: { name: 'May' } } },
  ]);
  expect(JSON.stringify(server.store.events)).not.toContain(WRITE_KEY);
});

test.each(['identify', 'page', 'screen'])('ING-4: %s has a pixel', async (type) => {
  const server = await startIngestion();
  await load(server, `/v1/pixel/${type}?userId=u&writeKey=${WRITE_KEY}`);
  expect(server.store.events).toMatchObject([{ type, userId: 'u' }]);
});

test.each([
  ['no key', '/v1/pixel/track?userId=u&event=E'],
  ['an unknown key', '/v1/pixel/track?userId=u&event=E&writeKey=unknown'],
  ['two keys', `/v1/pixel/track?userId=u&event=E&writeKey=${WRITE_KEY}&writeKey=${WRITE_KEY}`],
  ['data that is no JSON, and no key beside it', '/v1/pixel/track?data=AAAA'],
  ['an unknown call', `/v1/pixel/click?userId=u&writeKey=${WRITE_KEY}`],
])('D-42: a pixel with %s is an image all the same', async (_case, path) => {
  const server = await startIngestion();
  await load(server, path);
  expect(server.store.calls).toEqual([]);
  expect(server.log.lines).toMatchObject([{ level: 'warn', message: 'pixel not kept' }]);
  expect(JSON.stringify(server.log.lines)).not.toContain(WRITE_KEY);
});

test('D-42: a pixel without an id is dropped and counted', async () => {
  const server = await startIngestion();
  await load(server, `/v1/pixel/track?event=E&writeKey=${WRITE_KEY}`);
  expect([...server.dropped.of(SOURCE)]).toEqual([['no_user_anon_id', 1]]);
});

test.each(['AAAA', '%%%', 'bnVsbA'])(
  'D-42: a pixel with data that holds no call is dropped and counted: %s',
  async (data) => {
    const server = await startIngestion();
    await load(server, `/v1/pixel/track?data=${data}&writeKey=${WRITE_KEY}`);
    expect([...server.dropped.of(SOURCE)]).toEqual([['bad_request', 1]]);
  },
);

test.each([
  ['integrations.Webhooks=false', 0],
  ['integrations.all=false', 0],
  ['integrations.all=false&integrations.Webhooks=true', 1],
  ['integrations.Other=false', 1],
])('ING-5: a pixel with %s goes to %i destinations', async (query, destinations) => {
  const server = await startIngestion();
  await load(server, `/v1/pixel/track?userId=u&event=false&properties.a=true&writeKey=${WRITE_KEY}&${query}`);
  expect(server.store.stored.map(({ routes }) => routes.length)).toEqual([destinations]);
  expect(server.store.events).toMatchObject([{ event: 'false', properties: { a: 'true' } }]);
});

test('D-42: a pixel is an image when the store cannot write', async () => {
  const server = await startIngestion();
  server.store.isUnavailable = true;
  await load(server, `/v1/pixel/track?userId=u&event=E&writeKey=${WRITE_KEY}`);
  expect(server.log.lines).toMatchObject([{ level: 'warn', message: 'pixel not kept' }]);
});

test('ING-4: keys of a query cannot reach the prototype of an object', () => {
  const call = callOfPixel({ '__proto__.polluted': 'yes', 'a.__proto__.b': '1' });
  expect(JSON.stringify(call)).toBe('{"__proto__":{"polluted":"yes"},"a":{"__proto__":{"b":"1"}}}');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('ING-4: a query of any keys is read', () => {
  const keys = fc.string({ unit: fc.constantFrom('a', '.', '__proto__', 'constructor', 'é') });
  fc.assert(
    fc.property(fc.dictionary(keys, fc.oneof(fc.string(), fc.array(fc.string()))), (query) => {
      expect(callOfPixel(query)).toBeTypeOf('object');
    }),
  );
});
