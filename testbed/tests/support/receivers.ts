import { createHmac } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export const SECRET = 's3cret';

export type Json = Record<string, unknown>;

export interface Call {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly signature: string;
  /** Empty but during a rotation. */
  readonly next: string;
  /** The body as an object, or undefined. */
  readonly event: Json | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers only after so long. */
  readonly afterMs?: number;
  /** Ends the connection instead of answering. */
  readonly hangUp?: true;
}

export interface Decide {
  (call: Call): Reply | Promise<Reply>;
  /** Called when a request ended before it was whole. */
  readonly onBrokenOff?: () => void;
}

/** A receiver that is one decision; what it handled can be asked with a GET, as an observer. */
export function receiver(makeDecide: (handle: (call: Call) => void) => Decide): RequestListener {
  const handled = new Map<string, number>();
  const handle = ({ event }: Call) => {
    const id = String(event?.['messageId']);
    handled.set(id, (handled.get(id) ?? 0) + 1);
  };
  const decide = makeDecide(handle);
  return (request, response) => {
    if (request.method === 'GET') {
      const id = new URL(request.url ?? '', 'http://x').searchParams.get('messageId') ?? '';
      response.end(JSON.stringify({ handled: handled.get(id) ?? 0 }));
      return;
    }
    const act = async () => {
      const reply = await decide(await callOf(request));
      if (reply.afterMs !== undefined) await sleep(reply.afterMs);
      if (reply.hangUp === true) request.socket.destroy();
      else response.writeHead(reply.status, reply.headers ?? {}).end(reply.text ?? '');
    };
    // A sender that hung up is no fault of the receiver.
    act().catch(() => {
      decide.onBrokenOff?.();
      request.socket.destroy();
    });
  };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const body = await buffer(request);
  const textOf = (name: string): string => String(request.headers[name] ?? '');
  return {
    request,
    body,
    signature: textOf('x-signature'),
    next: textOf('x-signature-next'),
    event: eventIn(body),
  };
}

export function digest(body: string | Buffer, secret = SECRET, hash = 'sha1'): string {
  return createHmac(hash, secret).update(body).digest('hex');
}

/** With the secret alone, or beside another one while that is replaced. */
export function isSigned({ body, signature, next }: Call): boolean {
  return [signature, next].includes(digest(body));
}

function eventIn(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export const OK: Reply = { status: 200 };
export const UNAUTHORIZED: Reply = { status: 401 };
export const BAD: Reply = { status: 400 };

/** A good receiver: verifies raw bytes, handles each event once. */
export function good(handle: (call: Call) => void): Decide {
  const seen = new Set<unknown>();
  return (call) => {
    if (!isSigned(call)) return UNAUTHORIZED;
    if (call.event === undefined) return BAD;
    const id = call.event['messageId'];
    if (!seen.has(id)) handle(call);
    seen.add(id);
    return OK;
  };
}
