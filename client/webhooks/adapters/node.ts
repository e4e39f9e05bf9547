import type { WebhookAnswer, WebhookOptions } from '../handler.ts';
import { checkOptions, handleWebhook, LIMIT_BYTES, READ_BEFORE, reject, TOO_LARGE } from '../handler.ts';
import { signaturesOf } from '../received.ts';
import { readAll } from './read-all.ts';

/** What is needed of an `http.IncomingMessage`; Express and Koa have it too. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What a body parser made of it; its bytes, behind a raw one. */
  readonly body?: unknown;
  /** The bytes beside what a parser made of them. */
  readonly rawBody?: unknown;
  readonly readableEnded?: boolean;
}

/** What is needed of an `http.ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
  destroy(): unknown;
}

/**
 * A listener for `http.createServer`. Its promise never rejects, since nobody looks at it there: a request that breaks
 * off, and callbacks that throw, end that request alone.
 */
export function nodeWebhook(options: WebhookOptions): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const checked = checkOptions(options);
  return async (request, response) => {
    try {
      await respond(request, response, checked);
    } catch (error) {
      response.destroy();
      report(error, options);
    }
  };
}

export async function respond(request: NodeRequest, response: NodeResponse, options: WebhookOptions): Promise<void> {
  const answer = await answerTo(request, options);
  response.writeHead(answer.status, headersOf(answer));
  response.end(answer.text);
}

/** What is left of a body that is too large stays unread, and no other request can follow it on its connection. */
export function headersOf({ status }: WebhookAnswer): Record<string, string> {
  const close = status === TOO_LARGE.status ? { Connection: 'close' } : undefined;
  return { 'Content-Type': 'text/plain; charset=utf-8', ...close };
}

function report(error: unknown, { onError }: WebhookOptions): void {
  try {
    onError?.(error);
  } catch {
    // Whom to tell? The router sees that the connection was cut, and tries again.
  }
}

export async function answerTo(request: NodeRequest, options: WebhookOptions): Promise<WebhookAnswer> {
  if (request.method !== 'POST') return reject(options, { status: 405, reason: 'webhooks are sent with POST' });
  const body = await rawBodyOf(request, options.limitBytes ?? LIMIT_BYTES);
  if (body === 'too large') return reject(options, { status: TOO_LARGE.status, reason: TOO_LARGE.text });
  if (body === 'parsed') {
    const reason = `${READ_BEFORE}: put the webhook before body parsers, or keep its bytes as rawBody`;
    return reject(options, { status: 500, reason });
  }
  return handleWebhook({ body, ...signaturesOf(request.headers) }, options);
}

/**
 * The bytes on the wire: from a raw body parser that ran before, or from the stream. Platforms that parse bodies themselves
 * keep their bytes as `rawBody`, and so may the `verify` of `express.json`.
 */
async function rawBodyOf(request: NodeRequest, limit: number): Promise<Uint8Array | 'too large' | 'parsed'> {
  const { body, rawBody, readableEnded } = request;
  const given = [rawBody, body].find((bytes) => bytes instanceof Uint8Array);
  if (given !== undefined) return given.length > limit ? 'too large' : given;
  // A parser leaves an object behind, and nothing in the stream: its bytes are lost.
  if (body !== undefined || readableEnded === true) return 'parsed';
  return (await readAll(request, limit)) ?? 'too large';
}
