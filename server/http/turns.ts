import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may be unanswered at once; a connection with more is ended. Clients of the field send
 * a request after the answer to the one before; each that waits takes some kilobytes (SAFE-1).
 */
export const UNANSWERED_REQUESTS = 16;

export interface Turns {
  readonly take: RequestListener;
  /** The connections with a request that is not answered yet. */
  readonly busy: () => Iterable<Socket>;
}

type Waiting = [request: IncomingMessage, response: ServerResponse][];

/**
 * Handles the requests of a connection one after another: the next begins when the answer to the one before has left the
 * process. So of a peer that sends and does not read, one answer is kept; and while requests wait, nothing more is read.
 */
export function inTurn(handle: RequestListener): Turns {
  const connections = new Map<Socket, Waiting>();

  const begin = (socket: Socket, request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => endTurn(socket));
    handle(request, response);
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
