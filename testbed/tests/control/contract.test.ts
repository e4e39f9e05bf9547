import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Received } from '../../index.ts';
import { createReceiver } from '../../index.ts';
import { openControl } from '../../receiver/index.ts';
import { requestView } from '../../control/views.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { anyScript } from '../support/any-script.ts';
import { ControlContract } from '../support/control-contract.ts';
import { event, post } from '../support/posting.ts';
import { serve } from '../support/served.ts';

const ENDPOINTS = { '/hooks/a': { script: '503,200', secret: 'other' }, '/hooks/b': {} };

function json(body: unknown, token = ''): RequestInit {
  return { body: JSON.stringify(body), headers: token === '' ? {} : { Authorization: `Bearer ${token}` } };
}

test('every answer of the document is given, and as it says', async () => {
  await using application = await serve((_request, response) => response.writeHead(201).end('made'));
  await using receiver = await createReceiver({
    secret: 's3cret',
    script: '200',
    endpoints: { ...ENDPOINTS, '/hooks/c': { forward: application.url } },
    tls: 'no-tls',
  });
  await using control = await openControl(receiver);
  const token = control.page.split('=')[1] ?? '';
  const contract = new ControlContract();
  const ask = async (method: string, path: string, init?: RequestInit) =>
    (await contract.ask(control.url, method, path, init)).status;
  const sendTo = async (path: string, body: string | Uint8Array) =>
    post(receiver.url.replace('https', 'http') + path, body, { 'X-Signature': '0'.repeat(40) });
  await sendTo('/hooks/a?x=1', event('track', { event: 'Order Completed' }));
  await sendTo('/hooks/b', Uint8Array.of(0xff));
  await sendTo('/hooks/c', event('page'));
  const asked = [
    await ask('GET', '/v1/receiver'),
    await ask('GET', '/v1/script'),
    await ask('GET', '/v1/script?endpoint=/hooks/a'),
    await ask('PUT', '/v1/script', json({ script: '503x2,200' })),
    await ask('PUT', '/v1/script?endpoint=/hooks/b', json({ script: [{ status: 503, times: 2 }, {}] })),
    await ask('GET', '/v1/requests'),
    await ask('GET', '/v1/requests?endpoint=/hooks/a&type=track&event=Order%20Completed&after=0&limit=1'),
    await ask('GET', '/v1/requests/1'),
    await ask('GET', '/v1/requests/2'),
    await ask('GET', '/v1/requests/3'),
    await ask('GET', '/v1/requests/1?bodyLimit=3'),
    await ask('GET', '/v1/requests/2?bodyLimit=1'),
    await ask('GET', '/v1/news'),
    await ask('POST', '/v1/requests/1/replay', json({ to: application.url }, token)),
    await ask('POST', '/v1/requests/2/replay', json({ to: 'http://127.0.0.1:1/' }, token)),
    await ask('GET', '/v1/wait?count=3&within=2s'),
    await ask('GET', '/v1/archive'),
    await ask('GET', '/v1/openapi.json'),
    await ask('POST', '/v1/reset'),
  ];
  expect(asked.filter((status) => status !== 200)).toEqual([]);
  expect([
    await ask('GET', '/v1/script?endpoint=/hooks/z'),
    await ask('PUT', '/v1/script?endpoint=/hooks/z', json({ script: '200' })),
    await ask('GET', '/v1/requests?endpoint=/hooks/z'),
    await ask('GET', '/v1/wait?endpoint=/hooks/z'),
    await ask('GET', '/v1/requests/9'),
    await ask('POST', '/v1/requests/9/replay', json({ to: application.url }, token)),
  ]).toEqual([404, 404, 404, 404, 404, 404]);
  expect([
    await ask('PUT', '/v1/script', { body: '{' }),
    await ask('GET', '/v1/requests?limit=0'),
    await ask('GET', '/v1/requests/none'),
    await ask('GET', '/v1/wait?within=soon'),
    await ask('GET', '/v1/wait?within=1ms'),
  ]).toEqual([400, 400, 400, 400, 504]);
  const tooLong = { body: new Uint8Array(2_000_000) };
  expect(await ask('PUT', '/v1/script', tooLong)).toBe(413);
  expect(await ask('POST', '/v1/requests/1/replay', { ...json({}, token), ...tooLong })).toBe(413);
  for (const answer of contract.answers.filter((each) => each.endsWith(' 403'))) {
    const [method = '', template = ''] = answer.split(' ');
    const invented = `${template.replace('{number}', '1')}?invented=1`;
    expect(await ask(method, invented, { headers: { Authorization: `Bearer ${token}` } })).toBe(400);
    expect(await ask(method, template.replace('{number}', '1'), { headers: { Origin: 'http://page.test' } })).toBe(403);
  }
  expect(contract.answers.filter((answer) => !contract.seen.has(answer))).toEqual([]);
});

test('the check above sees an answer that is not as documented', () => {
  const contract = new ControlContract();
  expect(() => contract.check('GET', '/v1/receiver', 200, { url: 1 })).toThrow('GET /v1/receiver 200');
  expect(() => contract.check('GET', '/v1/receiver', 418, {})).toThrow('has no answer 418');
  expect(() => contract.check('GET', '/v1/requests/1', 200, { requests: [] })).toThrow('must have required');
});

test('the document knows every script of the language', () => {
  const contract = new ControlContract();
  fc.assert(
    fc.property(anyScript, (script) => {
      expect(contract.faultOf('Script', script)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test.each([
  [[]],
  [[{ stauts: 503 }]],
  [[{ status: 99 }]],
  [[{ delay: '6' }]],
  [[{ times: 0 }]],
  [[{ reset: 'later' }]],
  [''],
])('document and receiver both refuse the script %j', async (script) => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const contract = new ControlContract();
  expect(contract.faultOf('ScriptChange', { script })).toBeDefined();
  expect((await contract.ask(control.url, 'PUT', '/v1/script', json({ script }))).status).toBe(400);
});

test('the defaults of the document are those of the receiver', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const contract = new ControlContract();
  for (let count = 0; count < 101; count += 1) await post(receiver.url, '{}');
  const { body } = await contract.ask(control.url, 'GET', '/v1/requests');
  expect(body).toMatchObject({ received: 101, requests: { length: 100 } });
  expect((await contract.ask(control.url, 'GET', '/v1/wait')).body).toMatchObject({ requests: { length: 1 } });
  const { body: document } = await contract.ask(control.url, 'GET', '/v1/openapi.json');
  const defaults = JSON.stringify(document).match(/"default":[^,}]+/g);
  expect(defaults?.toSorted()).toEqual(['"default":"5s"', '"default":0', '"default":1', '"default":100']);
});

test('any bytes come back whole from a request as the API shows it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
      const view = requestView({ ...REQUEST, body }, undefined);
      const shown =
        view.bodyBase64 === undefined ? Buffer.from(view.body ?? '') : Buffer.from(view.bodyBase64, 'base64');
      expect(shown.equals(Buffer.from(body))).toBe(true);
      expect(view.bytes).toBe(body.length);
    }),
  );
});

const REQUEST: Received = {
  number: 1,
  at: 0,
  method: 'POST',
  path: '/',
  headers: [],
  body: new Uint8Array(),
  event: undefined,
  attempt: 1,
  scheme: schemeOf(),
  signature: { verdict: 'missing', header: 'X-Signature or webhook-signature' },
  turn: { step: undefined, time: 1, repeats: false, delayMs: 0, behavior: { kind: 'malformed', how: 'chunk' } },
  script: [],
};
