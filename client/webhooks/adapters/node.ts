import type { WebhookAnswer, WebhookOptions } from '../handler.ts';
import { handleWebhook, LIMIT_BYTES, reject, secretsOf, TOO_LARGE } from '../handler.ts';
import { readAll } from './read-all.ts';

/** What is needed of an `http.IncomingMessage`; Express and Koa have it too. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What is needed of an `http.ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

/** A listener for `http.createServer`, and for `app.post(path, …)` of Express, before any body parser. */
export function nodeWebhook(options: WebhookOptions): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  secretsOf(options);
  return async (request, response) => {
    const { status, text } = await answerTo(request, options);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(text);
  };
}

export async function answerTo(request: NodeRequest, options: WebhookOptions): Promise<WebhookAnswer> {
  if (request.method !== 'POST') return reject(options, { status: 405, reason: 'webhooks are sent with POST' });
  const body = await rawBodyOf(request, options.limitBytes ?? LIMIT_BYTES);
  if (body === 'too large') return reject(options, { status: TOO_LARGE.status, reason: TOO_LARGE.text });
  if (body === 'parsed') {
    const reason = 'the body was read before: put the webhook before body parsers, or use a raw one';
    return reject(options, { status: 500, reason });
  }
  const signature = request.headers['x-signature'];
  return handleWebhook({ body, signature: typeof signature === 'string' ? signature : undefined }, options);
}

/** The bytes on the wire: from a raw body parser that ran before, or from the stream. */
async function rawBodyOf(request: NodeRequest, limit: number): Promise<Uint8Array | 'too large' | 'parsed'> {
  const given = 'body' in request ? request.body : undefined;
  if (given instanceof Uint8Array) return given.length > limit ? 'too large' : given;
  // A parser leaves an object behind, and nothing in the stream: its bytes are lost.
  if (given !== undefined || ('readableEnded' in request && request.readableEnded === true)) return 'parsed';
  return (await readAll(request, limit)) ?? 'too large';
}
