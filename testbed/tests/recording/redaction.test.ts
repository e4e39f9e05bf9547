import { expect, test } from 'vitest';
import { newSharedSecret } from '../../../server/model/shared-secret.ts';
import { type Recorded, redacted } from '../../recording/index.ts';

const KEY = Buffer.from('0123456789+/ key of 32 bytes >?~');
const BARE = KEY.toString('base64');

function recorded(body: string | Uint8Array, value = 'none'): Recorded {
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-Copy', value],
  ] as const;
  return { at: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/hook', headers, body: Buffer.from(body) };
}

const bodyOf = (event: unknown, secrets: readonly string[] = []): unknown =>
  JSON.parse(Buffer.from(redacted(recorded(JSON.stringify(event)), secrets).body).toString('utf8'));

/** What whoever reads a fixture could sign with. */
function keysOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
}

const ENCODED = [KEY.toString('hex'), KEY.toString('hex').toUpperCase(), BARE, KEY.toString('base64url')];

test.each([
  ['whsec_ and base64', `whsec_${BARE}`, [...keysOf(`whsec_${BARE}`), ...keysOf(BARE), ...ENCODED, KEY.toString()]],
  ['base64 alone', BARE, [...keysOf(BARE), ...ENCODED]],
  ['hex alone, as of Slack', KEY.toString('hex'), [...keysOf(KEY.toString('hex')), ...ENCODED]],
  ['shpss_ and hex', `shpss_${KEY.toString('hex')}`, [...keysOf(KEY.toString('hex')), ...ENCODED]],
  ['a text', 'correct horse/battery', keysOf('correct horse/battery')],
])('of a secret that is %s, no spelling of its key survives', (_, secret, spelled) => {
  for (const one of spelled) {
    const slashed = JSON.stringify({ a: `<${one}>` }).replaceAll('/', String.raw`\/`);
    const escaped = `{"a":"${one.replaceAll(/./g, (c) => String.raw`\u` + c.charCodeAt(0).toString(16).padStart(4, '0'))}"}`;
    for (const body of [one, JSON.stringify({ [one]: [one] }), slashed, escaped, `%${encodeURIComponent(one)}%`]) {
      const kept = redacted(recorded(body, `a ${one} b`), [secret]);
      const all = Buffer.from(kept.body).toString('utf8');
      expect(all).toContain('[redacted]');
      expect(all).not.toContain(one);
      expect(kept.headers[1]?.[1]).toBe('a [redacted] b');
    }
  }
});

test('of a private key, its first half is replaced as well, which alone signs', () => {
  const secret = newSharedSecret('ed25519', KEY);
  expect(bodyOf([secret, secret.slice(5), BARE, KEY.toString('hex')], [secret])).toEqual(Array(4).fill('[redacted]'));
});

test('every value below a field whose name says that it holds credentials is replaced, and keeps its type', () => {
  expect(
    bodyOf({
      password: 12345,
      tokens: ['t1', ['t2', 3]],
      token: { value: 'v', nested: { deep: ['d'] }, expires_in: 3600, isValid: true, note: '', old: null },
      credentials: { user: 'ada', pin: 1 },
      private_key: 'k',
      token_count: 7,
      account_token: 8,
      name: 'ada',
    }),
  ).toEqual({
    password: 0,
    tokens: ['[redacted]', ['[redacted]', 0]],
    token: {
      value: '[redacted]',
      nested: { deep: ['[redacted]'] },
      expires_in: 3600,
      isValid: true,
      note: '',
      old: null,
    },
    credentials: { user: '[redacted]', pin: 0 },
    private_key: '[redacted]',
    token_count: 7,
    account_token: 0,
    name: 'ada',
  });
});

test('credentials in JSON within JSON, behind a byte order mark and at any depth are replaced', () => {
  expect(bodyOf({ payload: '{"token":["x"]}' })).toEqual({ payload: '{"token":["[redacted]"]}' });
  const marked = redacted(recorded('\ufeff{"token":1}'));
  expect(Buffer.from(marked.body).toString('utf8')).toBe('\ufeff{"token":0}');
  const deep = `${'['.repeat(50_000)}{"token":"t0ken"}${']'.repeat(50_000)}`;
  expect(Buffer.from(redacted(recorded(deep)).body).toString('utf8')).not.toContain('t0ken');
});

test('a number that is a secret is replaced, and JSON stays JSON', () => {
  expect(bodyOf({ pin: 123456789 }, ['123456789'])).toEqual({ pin: 0 });
});

test('the secrets are replaced in bytes that are no text', () => {
  const body = Buffer.concat([Buffer.of(255, 254), Buffer.from('x pässword1 y'), Buffer.of(0, 255)]);
  const kept = Buffer.from(redacted(recorded(body), ['pässword1']).body);
  expect(kept).toEqual(Buffer.concat([Buffer.of(255, 254), Buffer.from('x [redacted] y'), Buffer.of(0, 255)]));
});

test('a short key that is an ordinary word stays where it is one', () => {
  const secret = `whsec_${Buffer.from('other').toString('base64')}`;
  expect(bodyOf({ note: 'the other one' }, [secret])).toEqual({ note: 'the other one' });
});

test('what was redacted is not changed by redacting it again', () => {
  const event = { password: 5, tokens: ['a'], text: `whsec_${BARE}` };
  const once = redacted(recorded(JSON.stringify(event)), [`whsec_${BARE}`]);
  expect(redacted(once, [`whsec_${BARE}`])).toEqual(once);
});
