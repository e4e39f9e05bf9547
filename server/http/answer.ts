import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { PlainRequest } from './asked.ts';

/** What is answered, whole or as a stream. */
export interface Answer {
  readonly status: number;
  /** The content type, with its charset. */
  readonly type: string;
  readonly body: string | Uint8Array | Readable;
  readonly headers?: Headers;
}

/** Values by names. */
export type Headers = Readonly<Record<string, string>>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(status: number, body: unknown, headers: Headers = {}): Answer {
  return { status, type: JSON_TYPE, body: JSON.stringify(body), headers };
}

/** Answers a request, or throws what is to be answered as a failure. */
export type Serve = (asked: PlainRequest) => Promise<Answer>;

/** The same answers, with headers more. */
export function withHeaders(serve: Serve, added: Headers): Serve {
  return async (asked) => {
    const { headers, ...answer } = await serve(asked);
    return { ...answer, headers: { ...headers, ...added } };
  };
}

/** That something is there, or may be done; nothing else is to be said. */
export const EMPTY: Answer = { status: 200, type: 'text/plain; charset=utf-8', body: '' };

/** Sends an answer with headers more in one piece; of a HEAD, its headers alone. One whose peer has gone is dropped. */
export function send(response: ServerResponse, { status, type, body, headers }: Answer, added: Headers): void {
  if (body instanceof Readable) return stream(response, { status, type, body, headers: { ...added, ...headers } });
  if (response.destroyed || response.headersSent) return;
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...added, ...headers, 'Content-Type': type, 'Content-Length': length });
  response.end(body);
}

/**
 * Nothing on the way may keep a part of it: not a cache, nor a proxy that collects answers. Its connection ends with it: one
 * that was kept would keep a router that stops. A stream that breaks cuts the connection, so that nobody takes it for whole.
 */
const STREAMED = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' } as const;

function stream(response: ServerResponse, { status, type, body, headers }: Answer & { readonly body: Readable }): void {
  if (!response.destroyed) response.writeHead(status, { ...headers, ...STREAMED, 'Content-Type': type });
  // Who asks for the headers alone gets no stream, nor does a peer that has gone. The body says itself how it ended.
  if (response.destroyed || response.req.method === 'HEAD') {
    body.destroy();
    response.end();
  } else pipeline(body, response, () => undefined);
}
