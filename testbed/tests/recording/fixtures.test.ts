import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver } from '../../index.ts';
import type { Header } from '../../receiver/index.ts';
import { readRecording, replay } from '../../recording/index.ts';
import { differences } from '../../recording/differences.ts';
import { type Recorded, recordedLine } from '../../recording/recording.ts';
import { redacted } from '../../recording/redacted.ts';
import { signedAnew } from '../../recording/signed-anew.ts';
import { type Scheme, SCHEMES, signedRequest } from '../../schemes/index.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const COMMAND = fileURLToPath(new URL('../../command-line/receiver.ts', import.meta.url));

function recorded(event: unknown, headers: readonly Header[] = [], path = '/hook'): Recorded {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  const all: Header[] = [['Content-Type', 'application/json'], ...headers];
  return { at: '2026-01-01T00:00:00.000Z', method: 'POST', path, headers: all, body };
}

const textOf = ({ body }: Recorded): string => Buffer.from(body).toString('utf8');

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
}

test('credentials and signatures are replaced, in the path, headers and body, and nothing else', () => {
  const event = { type: 'track', user: 'ada', auth: { api_key: 'k1', note: `with ${SECRET} in it` }, total: 4.5 };
  const sent: Header[] = [
    ['Authorization', 'Bearer t0ken'],
    ['X-Signature', 'abcdef'],
    ['Stripe-Signature', 't=1,v1=ab'],
    ['X-Team', 'billing'],
    ['Cookie', 'a=b'],
  ];
  const kept = redacted(recorded(event, sent, '/hook?access_token=t0ken&page=2'), [SECRET]);
  expect(kept.path).toBe('/hook?access_token=%5Bredacted%5D&page=2');
  const values = Object.fromEntries(kept.headers);
  expect(values).toEqual({
    'Content-Type': 'application/json',
    Authorization: '[redacted]',
    'X-Signature': '[redacted]',
    'Stripe-Signature': '[redacted]',
    'X-Team': 'billing',
    Cookie: '[redacted]',
  });
  expect(JSON.parse(textOf(kept))).toEqual({
    ...event,
    auth: { api_key: '[redacted]', note: 'with [redacted] in it' },
  });
});

test('a secret is replaced in each of its spellings', () => {
  const secret = 'p"ss/wörd+1';
  const spelled = [
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];
  const request = recorded(
    { plain: secret, others: spelled },
    [['X-Copy', spelled.join(' ')]],
    `/hook?copy=${spelled[0]}`,
  );
  const kept = redacted(request, [secret]);
  const all = JSON.stringify([kept.path, kept.headers, textOf(kept)]);
  for (const one of [secret, ...spelled]) expect(all).not.toContain(one);
  expect(JSON.parse(textOf(kept))).toEqual({ plain: '[redacted]', others: spelled.map(() => '[redacted]') });
});

test('bytes without credentials stay as they are, whatever they hold', () => {
  for (const body of ['{"a" : 1}\n', 'no json', '\u0000\u00ff', '{"token_count":7}'])
    expect(textOf(redacted(recorded(body), [SECRET, '']))).toBe(body);
  const bytes = Uint8Array.of(255, 254, 0);
  expect(redacted({ ...recorded(''), body: bytes }).body).toEqual(bytes);
});

test.each(Object.values<Scheme>(SCHEMES))('a fixture is signed anew as $name signs, and verifies', async (scheme) => {
  await using receiver = await createReceiver({ secret: SECRET, scheme });
  const { headers, body } = signedRequest({ url: receiver.url, secret: 'whsec_b3RoZXI=', scheme, body: { id: 1 } });
  const old = redacted({ ...recorded(''), headers: Object.entries(headers), body });
  const url = `${receiver.url}/hook`;
  const request = signedAnew(old, { url, secret: SECRET, scheme });
  expect((await replay(request, receiver.url)).answer).toBe(200);
  expect((await receiver.next()).signature).toEqual({ verdict: 'valid' });
});

test('differences are told in words: kinds, headers, fields', () => {
  const before = [
    recorded({ type: 'order', id: 'a', total: 4, tags: ['x'], user: { name: 'Ada' } }, [['User-Agent', 'Shop/1']]),
    recorded({ type: 'order', id: 'b', total: 5, tags: [], user: { name: 'Bob' }, note: 'n' }, [
      ['User-Agent', 'Shop/1'],
    ]),
    recorded({ type: 'refund', id: 'c' }),
  ];
  const after = [
    recorded({ type: 'order', id: 'd', total: '4', tags: [1], shop: { id: 1 } }, [
      ['User-Agent', 'Shop/2'],
      ['X-New', 'yes'],
    ]),
    recorded({ type: 'login', id: 'e' }),
  ];
  expect(differences(before, after)).toEqual([
    'login: is new',
    'order: came 2 times, now once',
    'order: the header User-Agent was "Shop/1", is "Shop/2"',
    'order: the header X-New is new',
    'order: the field note is gone',
    'order: the field shop is new',
    'order: the field tags[] was a string, is a number',
    'order: the field total was a number, is a string',
    'order: the field user is gone',
    'refund: does not come any more',
  ]);
});

test('what differs from one request to the next is no difference, nor are signatures', () => {
  const one = recorded({ type: 'track', messageId: 'm1', at: '10:00' }, [
    ['Date', 'today'],
    ['webhook-id', 'm1'],
    ['webhook-timestamp', '1'],
    ['webhook-signature', 'v1,aa'],
    ['X-Request-Id', 'r1'],
  ]);
  const other = recorded({ type: 'track', messageId: 'm2', at: '11:00' }, [
    ['Date', 'tomorrow'],
    ['webhook-id', 'm2'],
    ['webhook-timestamp', '2'],
    ['webhook-signature', 'v1,bb'],
    ['X-Request-Id', 'r2'],
  ]);
  expect(differences([one], [other])).toEqual([]);
  expect(differences([one], [{ ...other, headers: [] }])).toContain('track: the header webhook-signature is gone');
  expect(differences([recorded('plain')], [recorded({ a: 1 })])).toContain(
    'POST /hook: the field the body was a string, is an object',
  );
});

test('the command redacts a recording, and compares two', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-fixtures-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, ...requests: readonly Recorded[]): string => {
    const path = join(folder, name);
    writeFileSync(path, requests.map((request) => `${recordedLine(request)}\n`).join(''));
    return path;
  };
  const before = file('before.jsonl', recorded({ type: 'order', total: 1, pin: 's3cret' }, [['Authorization', 'x']]));
  const after = file('after.jsonl', recorded({ type: 'order', total: '1', pin: '-' }, [['Authorization', 'x']]));
  const redaction = run('redact', before, '--secret', 's3cret');
  expect(redaction).toMatchObject({ status: 0, stderr: '' });
  const [kept] = readRecording(redaction.stdout);
  expect(kept && textOf(kept)).toBe('{"type":"order","total":1,"pin":"[redacted]"}');
  expect(kept?.headers).toContainEqual(['Authorization', '[redacted]']);
  expect(run('diff', before, before)).toMatchObject({ status: 0, stdout: 'No differences.\n' });
  expect(run('diff', before, after)).toMatchObject({
    status: 1,
    stdout: 'order: the field total was a number, is a string\n',
  });
  expect(run('diff', before)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('diff needs two recordings'),
  });
  expect(run('diff', before, join(folder, 'none'))).toMatchObject({ status: 2 });
  expect(readFileSync(before, 'utf8')).toContain('Authorization');
});

test('no credential is told as a difference, nor that one was replaced', () => {
  expect(differences([authorizedBy('')], [authorizedBy('Bearer canary')])).toEqual([
    'track: the header X-Team was "web", is "app"',
  ]);
});

function authorizedBy(value: string): Recorded {
  return {
    at: '2026-01-01T00:00:00.000Z',
    method: 'POST',
    path: '/',
    headers: [
      ['Authorization', value],
      ['X-Team', value === '' ? 'web' : 'app'],
    ],
    body: Buffer.from('{"type":"track"}'),
  };
}
