import type { ServerResponse } from 'node:http';
import type { PlainRequest } from './asked.ts';

/** What is answered, whole. */
export interface Answer {
  readonly status: number;
  /** The content type, with its charset. */
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Headers;
}

/** Values by names. */
export type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json; charset=utf-8';

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
  if (response.destroyed || response.headersSent) return;
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...added, ...headers, 'Content-Type': type, 'Content-Length': length });
  response.end(body);
}
