import { afterAll, describe, expect, test } from 'vitest';
import { sign } from '../../webhooks/index.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';
import { bundleProgram } from '../support/package-bundle.ts';
import { newConsumer } from '../support/package-consumer.ts';
import { TRACK_BODY } from '../support/webhooks-track-body.ts';
import { startWorker } from '../support/workerd.ts';

const consumer = newConsumer();
afterAll(() => consumer[Symbol.dispose]());

/** One path for each thing that is tried; what it answers is what happened. */
const PROGRAM = `
import { Analytics } from '@waybill/client/analytics';
import { diagnose, webWebhook } from '@waybill/client/webhooks';

const paths = {
  '/globals': () => [typeof process, typeof Buffer, typeof setImmediate],
  '/send': async ({ url }, { HOST }) => {
    const options = JSON.parse(new URL(url).searchParams.get('options'));
    const analytics = new Analytics('key', { host: HOST, ...options });
    for (let count = 0; count < 250; count += 1) analytics.track('user-42', 'Größe', { count });
    return analytics.close({ timeoutMs: 10_000 });
  },
  '/sync': async (_, { HOST }) => {
    const { ok } = await new Analytics('key', { host: HOST, syncMode: true }).track('user-42', 'e');
    return { ok };
  },
  '/later': (_, { HOST }, context) => {
    const analytics = new Analytics('key', { host: HOST });
    analytics.track('user-42', 'Requested');
    context.waitUntil(analytics.close());
    return 'answered';
  },
  '/diagnose': async (request) =>
    diagnose({ body: await request.text(), signature: request.headers.get('x-signature'), secret: 's3cret' }),
};

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    const types = [];
    if (pathname === '/hook') return webWebhook({ secret: 's3cret', onEvent: ({ type }) => types.push(type) })(request);
    return Response.json(await paths[pathname](request, env, context));
  },
};
`;

const { code } = await bundleProgram(consumer.folder, PROGRAM);

const BODY = JSON.stringify(TRACK_BODY);

describe('the packed tarball in workerd', () => {
  test.each([
    ['web alone', {}],
    ['web alone', { gzip: true }],
    ['web alone', { maxInFlight: 3 }],
    ['web and Node', {}],
  ] as const)('with %s sends events, given %j', async (surroundings, options) => {
    await using server = await receivingServer();
    await using worker = await startWorker(code, { HOST: server.url }, surroundings);
    const report = await fetch(`${worker.url}/send?options=${encodeURIComponent(JSON.stringify(options))}`);
    expect(await report.json()).toEqual({ timedOut: false, delivered: 250, unsent: [] });
    expect(new Set(server.accepted.map((message) => message['properties']?.['count'])).size).toBe(250);
  });

  test.each([
    ['web alone', ['undefined', 'undefined', 'undefined']],
    ['web and Node', ['object', 'function', 'function']],
  ] as const)('%s means what it says', async (surroundings, types) => {
    await using worker = await startWorker(code, {}, surroundings);
    expect(await (await fetch(`${worker.url}/globals`)).json()).toEqual(types);
  });

  test('tries again after a 503 and a connection that broke', async () => {
    await using server = await receivingServer((n) => (['lost', { status: 503 }] as const)[n] ?? 'accept');
    await using worker = await startWorker(code, { HOST: server.url });
    expect(await (await fetch(`${worker.url}/sync`)).json()).toEqual({ ok: true });
    expect(server.requests).toBe(3);
  });

  test('goes on after the answer, for as long as waitUntil lets it', async () => {
    await using server = await receivingServer();
    await using worker = await startWorker(code, { HOST: server.url });
    expect(await (await fetch(`${worker.url}/later`)).json()).toBe('answered');
    await expect.poll(() => server.accepted.length).toBe(1);
  });

  test('verifies a webhook in a fetch handler, and turns a forged one away', async () => {
    await using worker = await startWorker(code);
    const post = async (secret: string) => {
      const headers = { 'x-signature': await sign(secret, BODY) };
      return (await fetch(`${worker.url}/hook`, { method: 'POST', body: BODY, headers })).status;
    };
    expect([await post('s3cret'), await post('another')]).toEqual([200, 401]);
  });

  test('names the mistake behind a signature that does not verify', async () => {
    await using worker = await startWorker(code);
    const headers = { 'x-signature': await sign('s3cret\n', BODY) };
    const answer = await fetch(`${worker.url}/diagnose`, { method: 'POST', body: BODY, headers });
    expect(await answer.json()).toMatchObject({ verdict: 'explained', mistakes: ['secret-whitespace'] });
  });
});

test('with the web alone a module that needs Node does not start', async () => {
  const foreign = "import 'node:fs'; export default { fetch: () => new Response('ok') };";
  await expect(startWorker(foreign)).rejects.toThrow('No such module "node:fs"');
});
