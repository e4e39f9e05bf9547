import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Requests with headers up to this size are read: the receiver must not be the fault that it did not script. */
const MAX_HEADER_SIZE = 1_048_576;

export interface Handlers {
  /** A connection brought its first bytes, of which none was read; true means that the handler has taken it over. */
  readonly onFirstBytes: (socket: Socket) => boolean;
  /** The headers of a request were read; its body was not. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onUnreadable: (reason: string) => void;
}

export interface Listener {
  readonly port: number;
  /** Ends every connection at once; it goes on listening. */
  readonly drop: () => void;
  /** Ends every connection, and refuses new ones until `reopen`. */
  readonly leave: () => void;
  /** Listens on the same port again. Rejects with a ListenError when somebody else does. */
  readonly reopen: () => Promise<void>;
  /** Ends every connection at once, and stops listening. */
  readonly close: () => Promise<void>;
}

/**
 * How connections become those that HTTP is spoken on; undefined when nothing more is to be done with one. `tell` is for
 * the reason when no request comes of it.
 */
export type Wrap = (raw: Socket, tell: (reason: string) => void) => Socket | undefined;

/** Listens; a TCP server of its own stands before the HTTP one, so that a connection can be refused unread. */
export async function listen(
  port: number,
  host: string,
  handlers: Handlers,
  wrap: Wrap = (raw) => raw,
): Promise<Listener> {
  const http = createHttp(handlers);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (raw) => {
    sockets.add(raw);
    raw.on('close', () => sockets.delete(raw));
    // The close that follows an error tells all that there is to know.
    raw.on('error', () => undefined);
    const socket = wrap(raw, handlers.onUnreadable);
    socket?.once('readable', () => {
      if (socket.readableLength === 0) socket.destroy();
      else if (!handlers.onFirstBytes(socket)) http.emit('connection', socket);
    });
  });
  await bind(server, port, host);
  const taken = portOf(server);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    drop();
    await closed;
  };
  return {
    port: taken,
    drop,
    leave: () => void close(),
    reopen: async () => bind(server, taken, host),
    close,
  };
}

/** No time limits of Node's own: what the script does not say does not happen. */
function createHttp({ onRequest, onUnreadable }: Handlers) {
  const limits = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeaderSize: MAX_HEADER_SIZE };
  /** Connections in the middle of a body: whoever reads it learns that it breaks off, and need not be told twice. */
  const reading = new WeakSet<object>();
  const http = createHttpServer(limits, (request, response) => {
    reading.add(request.socket);
    request.once('end', () => reading.delete(request.socket));
    onRequest(request, response);
  });
  return http.on('clientError', ({ code, message }: NodeJS.ErrnoException, socket) => {
    const hungUp = code === 'HPE_INVALID_EOF_STATE';
    // A reset between two requests comes here too, and so does whatever follows the first bad line.
    const bad = code?.startsWith('HPE_') === true && (hungUp || socket.writable);
    if (bad && !reading.has(socket))
      onUnreadable(hungUp ? 'it broke off in the middle of its headers' : `no HTTP: ${message}`);
    if (bad && !hungUp) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
}

/** Rejects with a ListenError. */
export async function bind(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(new ListenError(port, host, error));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error(`Listening on ${String(address)}, which is no port`);
}

/** The receiver could not begin to listen. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(port: number, host: string, cause: NodeJS.ErrnoException) {
    super(`Cannot listen on port ${port} of ${host}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is in use; choose another, or 0 for a free one';
    case 'EACCES':
      return 'this user may not use the port; choose one above 1023, or 0 for a free one';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host is no address of this machine; choose 127.0.0.1, or 0.0.0.0 for all of its addresses';
    case undefined:
    default:
      return message;
  }
}
