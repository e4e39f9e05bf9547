import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { startConfigApi } from '../support/config-api.ts';

const SOURCE = '/workspaces/main/sources/js';
const SPKI = { type: 'spki', format: 'pem' } as const;
const PKCS8 = { type: 'pkcs8', format: 'pem' } as const;
const encoding = { publicKeyEncoding: SPKI, privateKeyEncoding: PKCS8 };
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048, ...encoding });
const SHORT = generateKeyPairSync('rsa', { modulusLength: 1024, ...encoding });
const EC = generateKeyPairSync('ec', { namedCurve: 'prime256v1', ...encoding });
const OTHER_EC = generateKeyPairSync('ec', { namedCurve: 'secp256k1', ...encoding });

const rsa = { key_id: 'k1', public_key: RSA.publicKey };
const ec = { key_id: 'k2', public_key: EC.publicKey };

test('ING-1: public keys of a source are kept, replaced and taken away', async () => {
  const api = await startConfigApi();
  const source = { name: 'workspaces/main/sources/js', oauth_keys: [rsa] };
  expect(await api.ok('POST', '/workspaces/main/sources', { source })).toMatchObject({ oauth_keys: [rsa] });
  const update_mask = { paths: ['source.oauth_keys'] };
  await api.ok('PATCH', SOURCE, { source: { oauth_keys: [rsa, ec] }, update_mask });
  expect(await api.ok('GET', SOURCE)).toMatchObject({ oauth_keys: [rsa, ec] });
  expect(await api.ok('PATCH', SOURCE, { update_mask })).toMatchObject({ oauth_keys: [] });
});

test.each([
  ['twice by one id', [rsa, { ...ec, key_id: 'k1' }], 'source.oauth_keys contains a key_id twice'],
  ['that is private', [{ ...rsa, public_key: RSA.privateKey }], 'source.oauth_keys[0].public_key is not a PEM'],
  [
    'that is too short',
    [rsa, { ...ec, public_key: SHORT.publicKey }],
    'source.oauth_keys[1].public_key is neither RSA',
  ],
  ['of another curve', [{ ...ec, public_key: OTHER_EC.publicKey }], 'is neither RSA of 2048 bits or more nor EC P-256'],
  ['that is damaged', [{ ...ec, public_key: EC.publicKey.replaceAll('M', '!') }], 'is not a valid public key'],
])('ING-1: a key %s is refused', async (_case, oauth_keys, words) => {
  const api = await startConfigApi();
  const source = { name: 'workspaces/main/sources/js', oauth_keys };
  const answer = await api.call('POST', '/workspaces/main/sources', { source });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } });
  expect(JSON.stringify(answer.body)).not.toContain('PRIVATE');
});
