import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SCHEMES, signedRequest } from '@waybill/testbed/schemes';
import { expect, onTestFinished, test } from 'vitest';

const SECRET = 'whsec_test';

/** Your endpoint: it checks `Stripe-Signature`, here with the kit's own check. */
async function startEndpoint(): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hooks`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request));
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, String(values)] as const);
  const arrived = { at: Date.now(), path: request.url ?? '', headers, body };
  response.writeHead((await SCHEMES.stripe.check(arrived, SECRET)) === 'valid' ? 200 : 400).end();
}

test('the endpoint takes what is signed as Stripe signs, and nothing else', async () => {
  const url = await startEndpoint();
  const invoice = { id: 'evt_1', type: 'invoice.paid' };
  const signed = signedRequest({ scheme: 'stripe', secret: SECRET, url, body: invoice });
  expect((await fetch(signed.url, signed)).status).toBe(200);
  const forged = signedRequest({ scheme: 'stripe', secret: 'guessed', url, body: invoice });
  expect((await fetch(forged.url, forged)).status).toBe(400);
});
