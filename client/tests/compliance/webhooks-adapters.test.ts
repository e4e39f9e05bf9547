import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import express from 'express';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { expressWebhook, fastifyWebhook, sign, webWebhook } from '../../webhooks/index.ts';
import type { Rejection, WebhookEvent } from '../../webhooks/index.ts';
import { BODIES } from '../support/webhooks-bodies.ts';
import { FRAMEWORKS, listenerOf } from '../support/webhooks-frameworks.ts';

const SECRET = 's3cret';
// White space that no JSON library would write again: an adapter that parses and stringifies fails.
const BODY = ` ${JSON.stringify(BODIES.track, null, 3)}\n`;

type Post = (body: string, signature?: string, method?: string) => Promise<number>;

/** Serves a listener on a port of its own, for as long as `use` runs. */
async function served(listener: RequestListener, use: (post: Post) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await use(async (body, signature = '', method = 'POST') => {
      const init = method === 'POST' ? { body } : {};
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method,
        ...init,
        headers: { 'X-Signature': signature, 'Content-Type': 'application/json' },
      });
      await answer.text();
      return answer.status;
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test.each(FRAMEWORKS)('%s hands over verified raw bytes, and nothing else', async (_name, listener) => {
  const events: WebhookEvent[] = [];
  await served(listener({ secret: SECRET, onEvent: (event) => void events.push(event) }), async (post) => {
    expect(await post(BODY, await sign(SECRET, BODY))).toBe(200);
    expect(await post(BODY, await sign('another', BODY))).toBe(401);
    expect(await post(BODY)).toBe(401);
    expect(await post('{}', await sign(SECRET, '{}'))).toBe(400);
  });
  expect(events).toEqual([BODIES.track]);
});

test.each(FRAMEWORKS.slice(0, 3))('%s refuses other methods and bodies without end', async (_name, listener) => {
  await served(listener({ secret: SECRET, onEvent: () => undefined, limitBytes: 50 }), async (post) => {
    expect(await post('', '', 'GET')).toBe(405);
    expect(await post(BODY, await sign(SECRET, BODY))).toBe(413);
  });
});

test.each(FRAMEWORKS)('%s answers the request after one that was too large', async (_name, listener) => {
  await served(listener({ secret: SECRET, onEvent: () => undefined, limitBytes: 1_000 }), async (post) => {
    for (const length of [300_000, 3_000_000]) {
      expect(await post('x'.repeat(length), 'any')).toBe(413);
      expect(await post(BODY, await sign(SECRET, BODY))).toBe(200);
    }
  });
});

test('a Request is answered with a Response', async () => {
  const events: WebhookEvent[] = [];
  const handle = webWebhook({ secret: SECRET, onEvent: (event) => void events.push(event), limitBytes: 10_000 });
  const send = async (body: string, signature: string) =>
    handle(new Request('http://x.test/', { method: 'POST', body, headers: { 'X-Signature': signature } }));
  expect((await send(BODY, await sign(SECRET, BODY))).status).toBe(200);
  expect((await send(BODY, 'wrong')).status).toBe(401);
  expect((await send('x'.repeat(10_001), 'wrong')).status).toBe(413);
  expect((await handle(new Request('http://x.test/'))).status).toBe(405);
  expect(events).toEqual([BODIES.track]);
});

test('a body that a parser took before is reported as such', async () => {
  const reasons: string[] = [];
  const handle = expressWebhook({
    secret: SECRET,
    onEvent: () => undefined,
    onRejected: ({ reason }) => reasons.push(reason),
  });
  const parses = express().use(express.json()).post('/', handle);
  await served(parses, async (post) => expect(await post(BODY, await sign(SECRET, BODY))).toBe(500));
  expect(reasons).toEqual([expect.stringContaining('put the webhook before body parsers')]);
});

test('a raw body parser that ran before is good enough', async () => {
  const handle = expressWebhook({ secret: SECRET, onEvent: () => undefined });
  const raw = express()
    .use(express.raw({ type: '*/*' }))
    .post('/', handle);
  await served(raw, async (post) => expect(await post(BODY, await sign(SECRET, BODY))).toBe(200));
});

function keepBytes(request: object, _response: unknown, rawBody: Buffer): void {
  Object.assign(request, { rawBody });
}

test('the bytes that a parser kept beside its object are good enough', async () => {
  const handle = expressWebhook({ secret: SECRET, onEvent: () => undefined });
  const kept = express()
    .use(express.json({ verify: keepBytes }))
    .post('/', handle);
  await served(kept, async (post) => {
    expect(await post(BODY, await sign(SECRET, BODY))).toBe(200);
    expect(await post(BODY, await sign('another', BODY))).toBe(401);
  });
});

test('a Request that was read before is reported as such', async () => {
  const reasons: string[] = [];
  const onRejected = ({ reason }: Rejection) => void reasons.push(reason);
  const handle = webWebhook({ secret: SECRET, onEvent: () => undefined, onRejected });
  const headers = { 'X-Signature': await sign(SECRET, BODY) };
  const request = new Request('http://x.test/', { method: 'POST', body: BODY, headers });
  const copy = request.clone();
  await request.json();
  expect((await handle(request)).status).toBe(500);
  expect(reasons).toEqual([expect.stringContaining('clone the request')]);
  expect((await handle(copy)).status).toBe(200);
});

test('Fastify keeps its own parsers beside the webhook', async () => {
  const app = fastify();
  app.post('/', (request) => ({ parsed: request.body }));
  const webhook = fastifyWebhook({ path: '/hooks', secret: SECRET, onEvent: () => undefined });
  await served(listenerOf(app.register(webhook)), async (post) => {
    expect(await post('{"a":1}')).toBe(200);
    expect(await post('{"a":')).toBe(400);
  });
});
