/**
 * What certifies sends broken bodies on purpose: receivers have to refuse them.
 * @module-tag broken-bodies
 */
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nodeWebhook, webWebhook } from '../../../client/webhooks/index.ts';
import { USER_AGENT } from '../../../server/delivery/webhook-request.ts';
import { certify, type CertifyOptions } from '../../certify/certify.ts';
import { hasPassed } from '../../certify/verdicts.ts';
import { auditContract } from '../../audit/index.ts';
import { createReceiver, headerOf } from '../../index.ts';
import { FRAMEWORKS } from '../../../client/tests/support/webhooks-frameworks.ts';
import { BAD, digest, good, OK, receiver, SECRET, UNAUTHORIZED } from '../support/receivers.ts';
import { serve } from '../support/served.ts';

const OPTIONS = { secret: SECRET, onEvent: () => undefined };
const handleWeb = webWebhook(OPTIONS);

const EVENT_ORDER = ['track', 'identify', 'page', 'screen', 'group', 'alias', 'delete'];

const CORRECT: readonly (readonly [what: string, listener: RequestListener])[] = [
  ...FRAMEWORKS.map(([name, listener]) => [`uses the kit on ${name}`, listener(OPTIONS)] as const),
  [
    'uses the kit with Request and Response',
    (request, response) => {
      const run = async () => {
        const headers = { 'X-Signature': String(request.headers['x-signature'] ?? '') };
        const body = new Uint8Array(await buffer(request));
        const answer = await handleWeb(new Request('http://x.test/', { method: 'POST', headers, body }));
        response.writeHead(answer.status).end(await answer.text());
      };
      run().catch(() => request.socket.destroy());
    },
  ],
  [
    'answers 204',
    receiver((handle) => async (call) => ({
      ...(await good(handle)(call)),
      ...(digest(call.body) === call.signature ? { status: 204 } : {}),
    })),
  ],
  [
    'answers 202 to anything signed',
    receiver(
      () =>
        ({ body, signature }) =>
          signature === digest(body) ? { status: 202 } : { status: 403 },
    ),
  ],
  [
    'writes the JSON again before it checks',
    receiver(() => ({ event, signature, next, body }) => {
      if (event === undefined) return signature === digest(body) ? BAD : UNAUTHORIZED;
      return [signature, next].includes(digest(JSON.stringify(event))) ? OK : UNAUTHORIZED;
    }),
  ],
  [
    'ends each connection, and says so',
    receiver((handle) => async (call) => ({ ...(await good(handle)(call)), headers: { Connection: 'close' } })),
  ],
];

async function resultsOf(listener: RequestListener, options: Partial<CertifyOptions> = {}) {
  await using served = await serve(listener);
  // Awaited here, because the receiver closes at the end of this function.
  return await certify({ url: `${served.url}/`, secret: SECRET, ...options });
}

test('what the engine delivers is what the contract describes, and comes as it does from the router', async () => {
  await using seeing = await createReceiver({ secret: SECRET });
  const results = await certify({ url: seeing.url, secret: SECRET });
  expect(results.length).toBeGreaterThan(40);
  const kinds = seeing.received.slice(0, 7);
  expect(kinds.map(({ signature }) => signature.verdict)).toEqual(kinds.map(() => 'valid'));
  expect(kinds.map(({ event }) => event?.['type'])).toEqual(EVENT_ORDER);
  expect(auditContract(kinds)).toEqual([]);
  expect(kinds.map((request) => headerOf(request, 'user-agent'))).toEqual(kinds.map(() => USER_AGENT));
});

test.each(CORRECT)('a receiver that %s passes', async (_what, listener) => {
  const results = await resultsOf(listener);
  expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(hasPassed(results)).toBe(true);
});

test('a receiver that reads X-Signature alone passes, with the advice to read what comes beside it during a rotation', async () => {
  const results = await resultsOf(
    receiver((handle) => {
      const inner = good(handle);
      return (call) => inner({ ...call, next: '' });
    }),
  );
  const notWell = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice');
  expect(notWell.map(({ id, verdict }) => [id, verdict])).toEqual([['rotation-next', 'advice']]);
  expect(notWell[0]?.words).toContain('read X-Signature-Next too, or know both secrets until a rotation ends');
});

test('a receiver that handles each event once passes before an observer too', async () => {
  await using served = await serve(receiver(good));
  const results = await certify({ url: `${served.url}/hooks`, secret: SECRET, observer: served.url });
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(results.find(({ id }) => id === 'duplicate-at-once')?.words).toContain('handled once');
});

test('without an observer, what only it can see is skipped, and the receiver passes', async () => {
  const results = await resultsOf(receiver(good));
  const unseen = results.filter(({ verdict }) => verdict !== 'passed').map(({ id, verdict }) => `${verdict} ${id}`);
  expect(unseen).toEqual([
    'skipped signature-unhandled',
    'skipped duplicate-later',
    'skipped duplicate-at-once',
    'skipped event-once',
  ]);
  expect(hasPassed(results)).toBe(true);
  const claims = results.filter(({ verdict }) => verdict === 'passed').map(({ words, expects }) => words + expects);
  expect(claims.filter((claim) => /handled|nothing is done|was done/i.test(claim))).toEqual([]);
});

test('a receiver that uses the kit, and works for a while, passes with Standard Webhooks', async () => {
  const kit = nodeWebhook({ secret: SECRET, signature: 'standard-webhooks', onEvent: () => sleep(20) });
  const listener: RequestListener = (request, response) => void kit(request, response);
  const results = await resultsOf(listener, { scheme: 'standard-webhooks' });
  expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(hasPassed(results)).toBe(true);
});

test('advice does not keep a receiver from passing', async () => {
  const [, listener] = CORRECT.find(([what]) => what.startsWith('writes the JSON again')) ?? ['', () => undefined];
  expect((await resultsOf(listener)).filter(({ verdict }) => verdict === 'advice')).toMatchObject([
    { id: 'signature-white-space' },
  ]);
});

test.each([2 ** 31, Number.NaN, 0])(
  'with a deadline of %d ms no receiver is asked: each would be late',
  async (deadlineMs) => {
    const asked = certify({ url: 'http://127.0.0.1:1/', secret: SECRET, deadlineMs });
    await expect(asked).rejects.toThrow(`The deadlineMs is ${deadlineMs}; give milliseconds above 0`);
  },
);

test.each([
  ['http://192.0.2.1/hooks', 'is not on this machine'],
  ['ftp://127.0.0.1/', 'is no http or https URL'],
  ['nonsense', 'is no http or https URL'],
])('%s is not asked', async (url, words) => {
  await expect(certify({ url, secret: SECRET })).rejects.toThrow(words);
});
