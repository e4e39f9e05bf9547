import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import { type Place, UnderWay } from '../under-way.ts';
import { NO_HOST, type Refusal, refuseRequest, TWO_HOSTS, UNKNOWN_EXPECTATION } from './client-error.ts';

/**
 * Requests of one connection that may be unanswered at once; a connection with more is ended. Clients of the field send
 * a request after the answer to the one before; each that waits takes some kilobytes (SAFE-1).
 */
export const UNANSWERED_REQUESTS = 16;

export interface ConnectionTurns {
  readonly take: RequestListener;
  /** For requests with an `Expect` header that nobody knows. */
  readonly refuseExpectation: RequestListener;
  /** The connections with a request that is not answered yet. */
  readonly busy: () => Iterable<Socket>;
}

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: RequestListener;
}

/** The requests of one connection. */
interface Line {
  /** Behind the one that is being answered. */
  readonly waiting: Turn[];
  /** Unset while none is being answered. */
  place: Place<Socket> | undefined;
}

/**
 * Handles the requests of a connection one after another: the next begins when the answer to the one before has left the
 * process. So of a peer that sends and does not read, one answer is kept; and while requests wait, nothing more is read.
 */
export function inOrder(handle: RequestListener): ConnectionTurns {
  const lines = new WeakMap<Socket, Line>();
  const busy = new UnderWay<Socket>();

  const begin = (line: Line, { request, response, handle: answer }: Turn): void => {
    // A turn takes at least one of the event loop: requests that are answered at once would never be too many (SAFE-1).
    response.once('close', () => setImmediate(endTurn, request.socket, line));
    const refusal = hostRefusal(request);
    if (refusal === undefined) answer(request, response);
    else refuseRequest(response, refusal);
  };
  const endTurn = (socket: Socket, line: Line): void => {
    const next = line.waiting.shift();
    // One that got no socket is not answered any more: the answer before was the last of its connection.
    if (next?.response.socket && !socket.destroyed) return begin(line, next);
    line.waiting.length = 0;
    if (line.place !== undefined) busy.end(line.place);
    line.place = undefined;
    if (socket.isPaused()) socket.resume();
  };
  const takeTurn = (turn: Turn): void => {
    const { socket } = turn.request;
    const line = lineOf(socket, lines);
    if (line.place === undefined) {
      line.place = busy.begin(socket);
      begin(line, turn);
    } else if (line.waiting.length + 1 < UNANSWERED_REQUESTS) {
      line.waiting.push(turn);
      socket.pause();
    } else endAtOnce(socket);
  };

  return {
    busy: () => busy,
    take: (request, response) => takeTurn({ request, response, handle }),
    refuseExpectation: (request, response) => takeTurn({ request, response, handle: refuseUnknownExpectation }),
  };
}

/** Made with the first request of a connection. */
function lineOf(socket: Socket, lines: WeakMap<Socket, Line>): Line {
  const known = lines.get(socket);
  if (known !== undefined) return known;
  const line = { waiting: [], place: undefined };
  lines.set(socket, line);
  return line;
}

const refuseUnknownExpectation: RequestListener = (_request, response) => refuseRequest(response, UNKNOWN_EXPECTATION);

/** What Node tells its parser of a request: the bytes behind it are no HTTP. */
const NOT_HTTP_BEHIND = 2;

/**
 * Ends a connection and the parsing of what was read of it: a chunk of 64 KB can hold thousands of requests, and Node
 * parses a chunk to its end, whatever became of the connection. Node has no other way to stop within a chunk.
 */
function endAtOnce(socket: Socket): void {
  // Node's own field, which its types do not show.
  const { parser } = socket as Socket & { parser?: { onIncoming: unknown } | null };
  if (parser) parser.onIncoming = () => NOT_HTTP_BEHIND;
  socket.destroy();
}

/** Node's own check of a missing header is off, as its answer would take no turn. */
function hostRefusal({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  // Names and values take turns.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // Two servers on the way of such a request could each believe another of them (RFC 9112, 3.2). Node takes the first.
  if (hosts > 1) return TWO_HOSTS;
  return hosts === 0 && httpVersion === '1.1' ? NO_HOST : undefined;
}

/** How often it is looked at what peers have read; the longest that one is ended later than it may. */
const CHECK_MS = 1_000;

/** A large answer may take longer: so much of it is given the time of a small one. */
const PART_BYTES = 2 << 20;

/** What is looked at of a socket. */
interface Connection {
  readonly writableLength: number;
  destroy(): unknown;
}

interface Watched {
  /** The connections with an answer on its way. */
  readonly busy: () => Iterable<Connection>;
  readonly clock: Clock;
  /** So long a peer may leave an answer unread, for each part of it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What a peer had not read when it was looked at last, and for how long that has been so. */
interface Unread {
  readonly bytes: number;
  readonly forMs: number;
}

/** Ends connections whose peer does not read, until the signal aborts. Passing time is counted, so no clock can be wrong. */
export async function endUnread({ busy, clock, timeoutMs, signal }: Watched): Promise<void> {
  const everyMs = Math.min(CHECK_MS, timeoutMs);
  let before = new Map<Connection, Unread>();
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    const now = new Map<Connection, Unread>();
    for (const socket of busy()) {
      const bytes = socket.writableLength;
      if (bytes === 0) continue;
      const known = before.get(socket);
      const forMs = known?.bytes === bytes ? known.forMs + everyMs : 0;
      if (forMs > timeoutMs * Math.ceil(bytes / PART_BYTES)) socket.destroy();
      else now.set(socket, { bytes, forMs });
    }
    before = now;
  }
}
