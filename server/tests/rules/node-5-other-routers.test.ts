import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { StaleRouting } from '../../storage/errors.ts';
import { regulation } from '../support/config-resources.ts';
import { destinationNamed, sourceNamed } from '../support/ingestion-config-store.ts';
import {
  basic,
  DESTINATION,
  type IngestionServer,
  SOURCE,
  startIngestion,
  WRITE_KEY,
} from '../support/ingestion-server.ts';

const CALL = { type: 'track', userId: 'u1', event: 'Signed Up' };
const OTHER = 'workspaces/main/sources/other';
const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** A router that hears of no change until it asks: others answered it. Its storage refuses what is routed by an older one. */
async function startBehind(): Promise<IngestionServer> {
  const server = await startIngestion();
  const { config, store } = server;
  const own = { ...store };
  store.accept = async (request) => {
    if (!config.hasUntold) return own.accept(request);
    await config.refresh();
    throw new StaleRouting('it has another version');
  };
  config.isBehind = true;
  return server;
}

function withKeys({ config }: IngestionServer, ...write_keys: string[]): Promise<unknown> {
  return config.update('sources', SOURCE, (source) => ({ ...source, write_keys }));
}

test.each([
  ['the header', '/v1/track', CALL, basic('new')],
  ['the body', '/v1/batch', { batch: [CALL], writeKey: 'new' }, {}],
  ['a large body', '/v1/batch', { batch: [CALL], writeKey: 'new', padding: 'x'.repeat(20_000) }, {}],
])('NODE-5: a write key in %s that another router has made is good at once', async (_where, path, body, headers) => {
  const server = await startBehind();
  await withKeys(server, WRITE_KEY, 'new');
  expect(await server.post(path, body, headers)).toMatchObject({ status: 200 });
  expect(server.store.events).toHaveLength(1);
});

test('NODE-5: a likelier key of a header that another router has made is found before one that is known here', async () => {
  const server = await startBehind();
  await server.config.create('sources', sourceNamed(OTHER, `${WRITE_KEY}:secret`));
  expect(await server.post('/v1/track', CALL, basic(`${WRITE_KEY}:secret`))).toMatchObject({ status: 200 });
  expect(server.store.stored).toMatchObject([{ message: { source: OTHER } }]);
});

test('NODE-5: settings for a write key that another router has made are answered at once', async () => {
  const server = await startBehind();
  await withKeys(server, WRITE_KEY, 'new');
  expect((await fetch(`${server.url}/v1/projects/new/settings`)).status).toBe(200);
});

test('NODE-5: a write key that another router has removed is refused, and nothing is stored', async () => {
  const server = await startBehind();
  await withKeys(server, 'new');
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 401 });
  expect(server.store.calls).toEqual([]);
});

test('NODE-5: events of a write key that another router has moved go to its new source', async () => {
  const server = await startBehind();
  await withKeys(server, 'new');
  await server.config.create('sources', sourceNamed(OTHER, WRITE_KEY));
  expect(await server.post('/v1/batch', { batch: [CALL] })).toMatchObject({ status: 200 });
  expect(server.store.stored).toMatchObject([{ message: { source: OTHER } }]);
});

test('NODE-5: a source that asks for tokens since another router was told lets nobody in without one', async () => {
  const server = await startBehind();
  const oauth_keys = [{ key_id: 'k1', public_key: publicKey }];
  await server.config.update('sources', SOURCE, (source) => ({ ...source, oauth_keys }));
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 401, body: { error: /\/token/ } });
  expect(server.store.calls).toEqual([]);
});

test('NODE-5: a source that asks for no tokens since another router was told lets everybody in', async () => {
  const server = await startBehind();
  server.config.isBehind = false;
  const oauth_keys = [{ key_id: 'k1', public_key: publicKey }];
  await server.config.update('sources', SOURCE, (source) => ({ ...source, oauth_keys }));
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 401 });
  server.config.isBehind = true;
  await server.config.update('sources', SOURCE, (source) => ({ ...source, oauth_keys: [] }));
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 200 });
});

test('NODE-5: what a destination is sent follows from what another router was told', async () => {
  const server = await startBehind();
  await server.config.update('destinations', DESTINATION, (current) => ({ ...current, enabled: false }));
  await server.post('/v1/track', CALL);
  await server.config.create('destinations', destinationNamed(`${OTHER}/destinations/webhooks`));
  await server.config.update('destinations', DESTINATION, (current) => ({ ...current, enabled: true }));
  await server.post('/v1/track', CALL);
  expect(server.store.stored.map(({ routes }) => routes.length)).toEqual([0, 1]);
});

test('NODE-5: events that were all dropped are kept when another router was told to keep them', async () => {
  const server = await startBehind();
  const users = { source_name: SOURCE, user_ids: ['u1'] };
  server.config.isBehind = false;
  await server.config.create('regulations', { ...regulation('main', 'rg_1'), ...users, regulation_type: 'Suppress' });
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 200 });
  expect([server.store.calls.length, server.dropped.of(SOURCE).get('suppressed')]).toEqual([0, 1]);
  server.config.isBehind = true;
  await server.config.create('regulations', { ...regulation('main', 'rg_2'), ...users, regulation_type: 'Unsuppress' });
  expect(await server.post('/v1/track', CALL)).toMatchObject({ status: 200 });
  expect([server.store.events.length, server.dropped.of(SOURCE).get('suppressed')]).toEqual([1, 1]);
});

test('NODE-5: nobody is refused as unknown while the storage cannot say who is known', async () => {
  const server = await startBehind();
  server.config.isUnavailable = true;
  expect(await server.post('/v1/track', CALL, basic('new'))).toMatchObject({ status: 503 });
});

test('NODE-5: a known write key asks the storage nothing before its events are stored', async () => {
  const server = await startBehind();
  await server.events(CALL);
  expect([server.config.refreshes, server.config.reads]).toEqual([0, 0]);
});
