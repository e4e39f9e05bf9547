import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../ports/clock.ts';
import { CannotListen } from './cannot-listen.ts';
import { refuseConnection } from './client-error.ts';
import { endUnread, inOrder } from './connections.ts';
import { createServer } from '../node-http.ts';
import type { TlsMaterial } from './tls.ts';

/** SDKs reuse connections at intervals of up to a minute; a server that closes earlier races with them. */
const KEEP_ALIVE_MS = 75_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Connections beyond are closed as they come. */
  readonly maxConnections: number;
  /** So long a sender may take for the headers of a request, and a new connection for its first byte. */
  readonly headersTimeoutMs: number;
  /** So long a sender may take for a whole request. */
  readonly requestTimeoutMs: number;
  /** So long a peer may leave an answer unread. */
  readonly responseTimeoutMs: number;
  /** Serves https with it, and without it http. */
  readonly tls?: TlsMaterial | undefined;
}

export interface Listener {
  readonly url: string;
  /** Takes no new connection, lets requests under way end within `graceMs`, then ends what is left. */
  close(graceMs: number): Promise<void>;
  /** What new connections are shown from now on, where https is served. */
  useCertificate(material: TlsMaterial): void;
}

export async function listen(handle: RequestListener, options: ListenOptions, clock: Clock): Promise<Listener> {
  const { host, port } = options;
  const turns = inOrder(handle);
  const server = serverOf(options, turns.take);
  server.maxConnections = options.maxConnections;
  // Node would leave out all behind the thousandth, also a second Host or an If-Match. How many fit is limited by their bytes.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', turns.refuseExpectation);
  server.on('clientError', refuseConnection);
  await new Promise<void>((resolve, reject) => {
    // For good: connections that cannot be taken, for want of descriptors say, are told by it as well, and end no process.
    server.on('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
  const connections = connectionsOf(server);
  const closed = new AbortController();
  void endUnread({ busy: turns.busy, clock, timeoutMs: options.responseTimeoutMs, signal: closed.signal });
  return {
    url: urlOf(server, host),
    close: (graceMs) => close(server, connections, graceMs).finally(() => closed.abort()),
    useCertificate: (material) => {
      if ('setSecureContext' in server) server.setSecureContext(material);
    },
  };
}

function serverOf(options: ListenOptions, take: RequestListener): Server | TlsServer {
  const { tls, headersTimeoutMs } = options;
  if (tls === undefined) return createServer(timeouts(options), take);
  return createTlsServer({ ...timeouts(options), ...tls, handshakeTimeout: headersTimeoutMs }, take);
}

/** How often Node looks for senders that are late; the longest that one can be later than it may. */
const CHECK_MS = 1_000;

function timeouts({ headersTimeoutMs, requestTimeoutMs }: ListenOptions): ServerOptions {
  return {
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What Node would answer by itself takes no turn of its connection (SAFE-1).
    requireHostHeader: false,
    // A request's headers are part of it; Node demands that they may not take longer.
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs, requestTimeoutMs),
  };
}

function urlOf(server: Server | TlsServer, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or choose another port with --port',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'is not an address of this machine: choose another with --host',
  ENOTFOUND: 'is not an address of this machine: choose another with --host',
};

export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): CannotListen {
  const words = WAYS_OUT[error.code ?? ''] ?? `could not be opened: ${error.message}`;
  return new CannotListen(`${host}:${port} ${words}`, { cause: error });
}

/** Those that are open. Node's own list has one of https only once its handshake is over, and waits for the others as well. */
function connectionsOf(server: Server | TlsServer): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function close(server: Server | TlsServer, connections: Iterable<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const rest = setTimeout(() => {
    for (const socket of connections) socket.destroy();
  }, graceMs);
  await closed;
  clearTimeout(rest);
}
