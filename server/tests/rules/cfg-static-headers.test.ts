import { expect, test } from 'vitest';
import { webhooksOf } from '../../destinations/webhooks-settings.ts';
import { refusalOf, startConfigApi, withWebhooks } from '../support/config-api.ts';

const NAME = 'workspaces/main/sources/js/destinations/webhooks';

const RESERVED = [
  'Host',
  'content-length',
  'Content-Type',
  'TRANSFER-ENCODING',
  'Connection',
  'User-Agent',
  'X-Signature',
  'x-signature-next',
  'webhook-id',
  'Webhook-Signature',
  'webhook-anything',
  'traceparent',
  'TraceState',
  '__proto__',
];

test.each(RESERVED)('D-29: the header %s is refused', async (key) => {
  expect(await refusalOf({ hook: 'https://a.b', headers: [{ key, value: 'x' }] })).toBe(
    `destination.config[0].value[1].headers[0].key may not be ${key}: Waybill sets it, or HTTP does`,
  );
  expect(await refusalOf({ hook: 'https://a.b', headers: { [key]: 'x' } })).toContain(`headers["${key}"] may not be`);
});

test.each(RESERVED)(
  'D-29: the header %s that was stored before it was reserved is not sent, and stops nothing',
  (key) => {
    for (const headers of [[{ key, value: 'x' }], { [key]: 'x' }]) {
      const value = [{ hook: 'https://a.b', headers }];
      const entry = { name: `${NAME}/config/hooks`, display_name: '', type: 'mixed', value } as const;
      expect(webhooksOf({ config: [entry] }).webhooks).toEqual([{ url: 'https://a.b', headers: {} }]);
    }
  },
);

test('D-29: names that objects have by themselves are headers like any other', async () => {
  const api = await startConfigApi();
  const headers = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: 'd' };
  await withWebhooks(api, { config: [{ name: 'hooks', value: [{ hook: 'https://a.b', headers }] }] });
  const stored = await api.store.get('destinations', NAME);
  expect(webhooksOf(stored ?? { config: [] }).webhooks[0]?.headers).toEqual(headers);
});

test('SAFE-3: what stands in the place of a name is not shown, as it may be a value', async () => {
  const key = 'Authorization: Bearer t0ken';
  const refusal = await refusalOf({ hook: 'https://a.b', headers: [{ key, value: 'x' }] });
  expect(refusal).toContain('one that begins with "Authorization:"');
  expect(refusal).not.toContain('t0ken');
});

test.each([
  ['a line break', [{ key: 'A', value: 'b\r\nX-Signature: c' }], 'headers[0].value holds a control character'],
  ['a null byte', { A: '\u0000' }, 'headers["A"] holds a control character'],
  ['a delete character', { A: '\u007f' }, 'holds a control character'],
  ['beyond Latin-1', { A: '€' }, 'one beyond Latin-1'],
  [
    'a space in the name',
    [{ key: 'A B', value: '' }],
    'headers[0].key must be the name of a header, got one that begins with "A "',
  ],
  ['a line break in the name', { 'A\n': '' }, 'must be the name of a header'],
  ['no name', [{ key: '', value: '' }], 'headers[0].key must be the name of a header'],
  ['a number as value', { A: 1 }, 'headers["A"] must be a string'],
  ['no key', [{ name: 'A', value: 'b' }], 'headers[0] must be an object with the strings key and value'],
  [
    'one name twice',
    [
      { key: 'A', value: '1' },
      { key: 'a', value: '2' },
    ],
    'headers[1].key names the header a a second time',
  ],
  ['text', 'A: b', 'headers must be a list of {key, value}, or an object'],
])('D-29: headers with %s are refused', async (_what, headers, text) => {
  const refusal = await refusalOf({ hook: 'https://example.com', headers });
  expect(refusal).toContain('destination.config[0].value[1].');
  expect(refusal).toContain(text);
});

test('D-29: both forms of headers are kept as sent, and read alike', async () => {
  const api = await startConfigApi();
  const value = [
    { hook: 'https://a.example', headers: [{ key: 'Authorization', value: 'Basic a' }] },
    { hook: 'https://b.example', headers: { 'X-One': '1', 'X-Two': 'é' } },
    { hook: 'https://c.example' },
  ];
  await withWebhooks(api, {
    config: [
      { name: 'hooks', value },
      { name: 'sharedSecret', value: 's3cret' },
    ],
  });
  const stored = await api.store.get('destinations', NAME);
  expect(stored?.config.find(({ name }) => name.endsWith('/hooks'))?.value).toEqual(value);
  expect(webhooksOf(stored ?? { config: [] })).toEqual({
    webhooks: [
      { url: 'https://a.example', headers: { Authorization: 'Basic a' } },
      { url: 'https://b.example', headers: { 'X-One': '1', 'X-Two': 'é' } },
      { url: 'https://c.example', headers: {} },
    ],
    sharedSecret: 's3cret',
    signature: 'x-signature',
  });
});
