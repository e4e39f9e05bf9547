import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeWebhook, sign, type WebhookOptions } from '../../webhooks/index.ts';
import { TRACK_BODY } from '../support/webhooks-track-body.ts';

const SECRET = 's3cret';
const BODY = JSON.stringify(TRACK_BODY);

/** Serves it, as a receiver that gives the listener to `createServer` does; answers the port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The error that a receiver is told of; the promise of its listener has to be without fault, as nobody looks at it. */
function receiver(options: Partial<WebhookOptions>) {
  const told = Promise.withResolvers<unknown>();
  const ended = Promise.withResolvers<void>();
  const listen = nodeWebhook({ secret: SECRET, onEvent: () => {}, onError: told.resolve, ...options });
  const listener: RequestListener = (request, response) => {
    listen(request, response).then(ended.resolve, ended.reject);
  };
  return { listener, told: told.promise, ended: ended.promise };
}

function throws(): never {
  throw new Error('mine');
}

describe('nodeWebhook, given to createServer as it is', () => {
  test('a request that breaks off rejects nothing, and is told to onError', async () => {
    const { listener, told, ended } = receiver({});
    const port = await serve(listener);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"type":');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    expect(await told).toMatchObject({ message: 'aborted' });
    await expect(ended).resolves.toBeUndefined();
  });

  test.each(['onRejected', 'onError'] as const)(
    '%s that throws ends the request, and rejects nothing',
    async (name) => {
      const { listener, ended } = receiver({ onEvent: throws, onError: () => {}, [name]: throws });
      const url = `http://127.0.0.1:${await serve(listener)}`;
      const headers = { 'x-signature': await sign(name === 'onError' ? SECRET : 'another', BODY) };
      await expect(fetch(url, { method: 'POST', body: BODY, headers })).rejects.toThrow('fetch failed');
      await expect(ended).resolves.toBeUndefined();
    },
  );
});
