import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { Analytics } from '@segment/analytics-node';
import { expect, test } from 'vitest';
import { CALL_TYPES } from '../../model/message.ts';
import { startRoute, typesOf } from '../support/ingestion-route.ts';

const ALL = [...CALL_TYPES].toSorted();

interface Legacy {
  identify(message: object): Legacy;
  track(message: object): Legacy;
  page(message: object): Legacy;
  screen(message: object): Legacy;
  group(message: object): Legacy;
  alias(message: object): Legacy;
  flush(): Promise<unknown>;
}

// The package has no types; these are its documented calls.
const LegacyAnalytics: new (writeKey: string, options: object) => Legacy = createRequire(import.meta.url)(
  'analytics-node',
);

function makeCalls(analytics: Pick<Analytics, (typeof CALL_TYPES)[number]> | Legacy): void {
  analytics.identify({ userId: 'u', traits: { plan: 'pro' } });
  analytics.track({ userId: 'u', event: 'Order Completed', properties: { total: 42.5 } });
  analytics.page({ userId: 'u', name: 'Pricing', properties: { url: 'https://a.example/' } });
  analytics.screen({ userId: 'u', name: 'Cart' });
  analytics.group({ userId: 'u', groupId: 'g', traits: { seats: 3 } });
  analytics.alias({ userId: 'u', previousId: 'p' });
}

test('ING-4: @segment/analytics-node reaches a webhook with all six calls', async () => {
  const { host, writeKey, delivered } = await startRoute();
  const analytics = new Analytics({ host, writeKey });
  makeCalls(analytics);
  await analytics.closeAndFlush();
  expect(typesOf(await delivered(6))).toEqual(ALL);
});

test('ING-10: @segment/analytics-node loses nothing over 429, 503 and a cut connection', async () => {
  const { host, writeKey, delivered, faultsLeft } = await startRoute('overload', 'unavailable', 'cut');
  const analytics = new Analytics({ host, writeKey });
  const errors: unknown[] = [];
  analytics.on('error', (error) => errors.push(error));
  makeCalls(analytics);
  await analytics.closeAndFlush();
  expect(typesOf(await delivered(6))).toEqual(ALL);
  expect([faultsLeft(), errors]).toEqual([[], []]);
});

test('ING-1: @segment/analytics-node gets a token for its key, and sends with it', async () => {
  const { host, writeKey, delivered, changeSource, faultsLeft } = await startRoute('unavailable', 'overload', 'cut');
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await changeSource({ oauth_keys: [{ key_id: 'k1', public_key: publicKey }] });
  const oauthSettings = { clientId: writeKey, clientKey: privateKey, keyId: 'k1', authServer: host };
  const analytics = new Analytics({ host, writeKey, oauthSettings });
  const errors: unknown[] = [];
  analytics.on('error', (error) => errors.push(error));
  makeCalls(analytics);
  await analytics.closeAndFlush();
  expect([errors, typesOf(await delivered(6)), faultsLeft()]).toEqual([[], ALL, []]);
});

test('ING-4: analytics-node 6 reaches a webhook with all six calls', async () => {
  const { host, writeKey, delivered } = await startRoute();
  const analytics = new LegacyAnalytics(writeKey, { host });
  makeCalls(analytics);
  await analytics.flush();
  expect(typesOf(await delivered(6))).toEqual(ALL);
});

test('ING-10: analytics-node 6 loses nothing over 429, 503 and a cut connection', async () => {
  const { host, writeKey, delivered, faultsLeft } = await startRoute('overload', 'unavailable', 'cut');
  const failures: unknown[] = [];
  const analytics = new LegacyAnalytics(writeKey, { host, errorHandler: (error: unknown) => failures.push(error) });
  makeCalls(analytics);
  await analytics.flush();
  expect(typesOf(await delivered(6))).toEqual(ALL);
  expect([faultsLeft(), failures]).toEqual([[], []]);
});
