import { expect, test } from 'vitest';
import { certify, createReceiver, webhookRequest, exampleOf } from '../../index.ts';
import { auditSignatures } from '../../audit/index.ts';
import { certifySender } from '../../certify-sender/index.ts';
import { readSenderOptions } from '../../command-line/certify-sender/options.ts';
import { FlagError } from '../../command-line/flag-values.ts';
import { readReplayFlags } from '../../command-line/replay-flags.ts';
import { assertSent } from '../../node-test/index.ts';
import { MswEndpoint } from '../../msw/index.ts';
import { signedAnew } from '../../recording/index.ts';
import { custom, type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';
import { sentAs } from '../support/sent-as.ts';

const URL_OF_HOOK = 'http://127.0.0.1:9/hook';
const REQUEST = { at: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/', headers: [], body: Buffer.from('{}') };

/** Every place where a secret is given. What is not typed so comes from JavaScript, or from an environment. */
const ENTRIES: Readonly<Record<string, (secret: never, scheme: Scheme) => unknown>> = {
  signedRequest: (secret, scheme) => signedRequest({ url: URL_OF_HOOK, secret, scheme, body: {} }),
  signedAnew: (secret, scheme) => signedAnew(REQUEST, { url: URL_OF_HOOK, secret, scheme }),
  createReceiver: async (secret, scheme) => (await createReceiver({ secret, scheme })).close(),
  'an endpoint of a receiver': async (secret, scheme) =>
    (await createReceiver({ endpoints: { '/a': { secret, scheme } } })).close(),
  'an endpoint that inherits its secret': async (secret, scheme) =>
    (await createReceiver({ secret, endpoints: { '/a': { scheme } }, scheme })).close(),
  MswEndpoint: (secret, scheme) => new MswEndpoint({ url: URL_OF_HOOK, secret, scheme }).close(),
  certify: async (secret, scheme) => certify({ url: URL_OF_HOOK, secret, scheme, event: { id: 'evt_1', type: 'a' } }),
  certifySender: async (secret, scheme) =>
    certifySender({ secret, scheme, budgetMs: 1, trigger: async () => undefined }),
  toBeSignedWith: async (secret, scheme) =>
    assertSent(await sentAs(scheme, { script: '200', sent: [['first', 0]] })).toBeSignedWith(secret),
  'the check of a scheme': async (secret, scheme) => scheme.check({ ...REQUEST, at: 0 }, secret),
};

const OWN = custom({ header: 'X-Own', algorithm: 'SHA-512', encoding: 'hex' });
const ALL: readonly Scheme[] = [...Object.values<Scheme>(SCHEMES), OWN];
async function refusal(entry: string, secret: unknown, scheme: Scheme): Promise<string> {
  try {
    await Reflect.apply(ENTRIES[entry] ?? (() => undefined), undefined, [secret, scheme]);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return 'accepted';
}

test.each(Object.keys(ENTRIES))('%s refuses what cannot be a secret of any scheme, with its kind', async (entry) => {
  for (const scheme of ALL) {
    for (const [secret, kind] of [
      ['', 'empty'],
      [null, 'null'],
      [12345, 'a number'],
      [Buffer.from('s3cret'), 'bytes'],
      [undefined, 'undefined'],
    ] as const) {
      if (entry === 'toBeSignedWith' && secret === null) continue;
      const said = await refusal(entry, secret, scheme);
      expect(said).toMatch(/^(?:TypeError|CertifyError): \w+/);
      expect(said).toContain(entry === 'toBeSignedWith' && secret === undefined ? 'undefined' : `is ${kind}`);
      expect(said).toMatch(/; (?:give|leave)/);
      expect(said).not.toMatch(/12345|s3cret|key.? argument/);
    }
  }
});

const STANDARD = SCHEMES['standard-webhooks'];

test.each(Object.keys(ENTRIES).filter((entry) => entry !== 'the check of a scheme'))(
  '%s refuses what is no secret of Standard Webhooks, and does not repeat it',
  async (entry) => {
    for (const secret of ['nope', 'not base64 !!', 'whsec_', 'whsec_not base64 !!', 'whsk_YWJj', 'whpk_YWJj']) {
      const said = await refusal(entry, secret, STANDARD);
      expect(said).toMatch(/does not begin with whsec_|has no base64 behind|must hold|is a (?:public|private) key/);
      expect(said).toContain('; give ');
      expect(said).not.toMatch(/nope|not base64 !!|YWJj/);
    }
  },
);

test('Waybill signs with any text, and every other scheme as well', async () => {
  for (const scheme of ALL.filter((one) => one !== STANDARD)) {
    expect(await refusal('signedRequest', 'not base64 !!', scheme)).toBe('accepted');
    expect(await refusal('createReceiver', 'not base64 !!', scheme)).toBe('accepted');
  }
  expect(await refusal('signedRequest', 'whpk_YWJj', SCHEMES.waybill)).toContain('is a public key');
});

test('a request of Waybill is signed with no empty secret, and its secret may be left out', () => {
  expect(() => webhookRequest(exampleOf('track'), { secret: '' })).toThrow('The option secret is empty; leave it out');
  expect(Object.keys(webhookRequest(exampleOf('track')).headers)).not.toContain('X-Signature');
});

test('the audit of signatures refuses a secret that is none', async () => {
  const sent = await sentAs(STANDARD, { script: '200', sent: [['first', 0]] });
  await expect(auditSignatures(sent, 'nope')).rejects.toThrow('does not begin with whsec_ or whpk_');
});

const FLAGS = ['--scheme', 'standard-webhooks', '--secret', 'nope'] as const;

test.each<[string, () => unknown]>([
  ['certify-sender', () => readSenderOptions(['--trigger', 'true', ...FLAGS])],
  ['replay', () => readReplayFlags(['a.jsonl', '--to', URL_OF_HOOK, ...FLAGS])],
])('the command %s refuses such a secret as a flag', (_command, read) => {
  expect(read).toThrow(FlagError);
  expect(read).toThrow(/^--secret does not begin with whsec_/);
});

const GOOD = { header: 'X-Own', algorithm: 'SHA-256', encoding: 'hex' } as const;

test.each<[object, string]>([
  [{ ...GOOD, algorithm: 'MD5' }, 'The option algorithm is "MD5"; give one of SHA-1, SHA-256, SHA-512'],
  [{ ...GOOD, algorithm: 'sha256' }, 'The option algorithm is "sha256"; did you mean SHA-256?'],
  [{ ...GOOD, algorithm: undefined }, 'The option algorithm is undefined'],
  [{ ...GOOD, encoding: 'base64url' }, 'The option encoding is "base64url"; give one of hex, base64'],
  [{ ...GOOD, header: undefined }, 'The header undefined cannot be the name of a header'],
  [{ ...GOOD, header: 'X Own' }, 'The header "X Own" cannot be the name of a header'],
  [{ ...GOOD, timestamp: {} }, 'The header undefined cannot be the name of a header'],
  [{ ...GOOD, timestamp: { header: 'X-At', tolerance: 5 } }, 'The option timestamp has no tolerance'],
  [{ ...GOOD, timestamp: { header: 'X-At', toleranceSeconds: -1 } }, 'toleranceSeconds is -1; give a number above 0'],
  [{ ...GOOD, payload: 'body' }, 'The option payload is a string; give a function'],
  [{ ...GOOD, id: 'X-Event-Id' }, 'The place "X-Event-Id" is none; give { header:'],
  [{ ...GOOD, id: { name: 'x' } }, 'neither a header nor a field'],
  [{ ...GOOD, prefx: 'v1=' }, 'custom has no prefx; did you mean prefix?'],
])('custom refuses what cannot be, %#', (given, words) => {
  expect(() => Reflect.apply(custom, undefined, [given])).toThrow(
    new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  );
  expect(custom(GOOD).name).toBe('custom');
});
