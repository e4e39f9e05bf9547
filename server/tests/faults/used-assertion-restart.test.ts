import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const TOKEN = 'used-assertion-test-token-0123';
const KEY = 'k'.repeat(32);
const PUBLIC_URL = 'https://events.example.com';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

async function start(folder: string) {
  const flags = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, `--public-url=${PUBLIC_URL}`, '--no-console'];
  const router = await startWaybill(readSettings(flags, {}), new RecordingLog());
  onTestFinished(() => router.stop());
  return router;
}

async function createSource(url: string): Promise<void> {
  const oauth_keys = [{ key_id: 'k1', public_key: publicKey.export({ type: 'spki', format: 'pem' }) }];
  const answer = await fetch(`${url}/v1beta/workspaces/main/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ source: { name: 'workspaces/main/sources/js', write_keys: [KEY], oauth_keys } }),
  });
  expect(await answer.json()).toMatchObject({ name: 'workspaces/main/sources/js' });
}

function sign(jti: string): Promise<string> {
  const claims = new SignJWT({ iss: KEY, sub: KEY, aud: PUBLIC_URL, jti }).setIssuedAt().setExpirationTime('5m');
  return claims.setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
}

async function askForToken(url: string, assertion: string): Promise<number> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
  return (await fetch(`${url}/v1/token`, { method: 'POST', body: form })).status;
}

test('ING-1: an assertion that was used is refused after a restart, and one that was not is accepted', async () => {
  const folder = newFolder();
  const [used, other] = [await sign('used'), await sign('other')];
  const first = await start(folder);
  await createSource(first.url);
  expect([await askForToken(first.url, used), await askForToken(first.url, used)]).toEqual([200, 401]);
  await first.stop();
  const second = await start(folder);
  expect([await askForToken(second.url, used), await askForToken(second.url, other)]).toEqual([401, 200]);
});
