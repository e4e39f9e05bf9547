import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import { refuseRequest, TWO_HOSTS } from './client-error.ts';

/**
 * Requests of one connection that may be unanswered at once; a connection with more is ended. Clients of the field send
 * a request after the answer to the one before; each that waits takes some kilobytes (SAFE-1).
 */
export const UNANSWERED_REQUESTS = 16;

export interface ConnectionTurns {
  readonly take: RequestListener;
  /** The connections with a request that is not answered yet. */
  readonly busy: () => Iterable<Socket>;
}

type Waiting = [request: IncomingMessage, response: ServerResponse][];

/**
 * Handles the requests of a connection one after another: the next begins when the answer to the one before has left the
 * process. So of a peer that sends and does not read, one answer is kept; and while requests wait, nothing more is read.
 */
export function inTurn(handle: RequestListener): ConnectionTurns {
  const connections = new Map<Socket, Waiting>();

  const begin = (socket: Socket, request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => endTurn(socket));
    // Two servers on the way of such a request could each believe another of them (RFC 9112, 3.2). Node takes the first.
    if (hasSecondHost(request)) refuseRequest(response, TWO_HOSTS);
    else handle(request, response);
  };
  const endTurn = (socket: Socket): void => {
    const [request, response] = connections.get(socket)?.shift() ?? [];
    // One that got no socket is not answered any more: the answer before was the last of its connection.
    if (request !== undefined && response?.socket) return begin(socket, request, response);
    connections.delete(socket);
    if (socket.isPaused()) socket.resume();
  };

  return {
    busy: () => connections.keys(),
    take(request, response) {
      const { socket } = request;
      const waiting = connections.get(socket);
      if (waiting === undefined) {
        connections.set(socket, []);
        begin(socket, request, response);
      } else if (waiting.length + 1 < UNANSWERED_REQUESTS) {
        waiting.push([request, response]);
        socket.pause();
      } else socket.destroy();
    },
  };
}

function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values take turns.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
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
