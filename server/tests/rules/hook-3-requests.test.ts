import { expect, test } from 'vitest';
import { requestTo, USER_AGENT } from '../../delivery/webhook-request.ts';
import { loadDocument } from '../../http/document.ts';
import manifest from '../../package.json' with { type: 'json' };
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { startEngine } from '../support/engine.ts';

const HOUR = 3_600_000;
const A = { url: 'https://a.test/hook', headers: { Authorization: 'Basic a', 'X-Team': 'a' } };
const B = { url: 'https://b.test/hook', headers: {} };

test('HOOK-3: static headers go to their own URL and to no other', async () => {
  const target = { webhooks: [A, B], sharedSecret: '' };
  const { clock, transport, send } = await startEngine(() => answers(200), { target });
  await send();
  await clock.advance(1);
  const [first, second] = transport.posts.map((post) => post.request);
  expect(first).toMatchObject({ url: A.url, headers: A.headers });
  expect(second?.url).toBe(B.url);
  expect(Object.keys(second?.headers ?? {})).toEqual(['User-Agent', 'Content-Type']);
});

test('HOOK-3: every retry carries the static headers of its URL, and no others', async () => {
  const { clock, transport, send } = await startEngine(() => answers(503), {
    target: { webhooks: [A, B], sharedSecret: '' },
  });
  await send();
  await clock.advance(5 * HOUR);
  const requests = transport.posts.map((post) => post.request);
  expect(requests.length).toBeGreaterThan(40);
  const own = { 'User-Agent': USER_AGENT, 'Content-Type': 'application/json' };
  for (const { url, headers } of requests) expect(headers).toEqual(url === A.url ? { ...A.headers, ...own } : own);
});

test('HOOK-4: a request names its content type and the service with its version', () => {
  const { headers } = requestTo(
    B,
    { webhooks: [B], sharedSecret: '' },
    { messageId: 'm1', at: 0, body: new Uint8Array() },
    1,
  );
  expect(headers).toEqual({ 'User-Agent': USER_AGENT, 'Content-Type': 'application/json' });
  expect(USER_AGENT).toBe(`Waybill/${manifest.version}`);
});

test('HOOK-4: the document promises the same user agent', () => {
  const parameters: Record<string, { schema: { pattern?: string } }> = JSON.parse(
    JSON.stringify(loadDocument('config-api').components.parameters),
  );
  expect(USER_AGENT).toMatch(new RegExp(parameters['UserAgent']?.schema.pattern ?? '^$'));
});
