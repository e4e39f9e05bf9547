import { constants } from 'node:crypto';
import type { LookupFunction, Socket } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { Resolver } from '../ports/resolver.ts';
import type { PostRequest, PostResult, Transport } from '../ports/transport.ts';
import { createSystemResolver } from '../system-resolver.ts';
import { UnderWay } from '../under-way.ts';
import type { AddressGuard } from './address-guard.ts';
import { Connections } from './connections.ts';
import { CANCELLED, Exchange } from './exchange.ts';
import { type CheckedUrl, checkUrl, guardedLookup } from './guarded-lookup.ts';
import { HandshakeTurns } from './handshake-turns.ts';
import { memoized } from './memo.ts';
import { gated } from './tls-gate.ts';

/**
 * A receiver decides nothing about what a handshake costs (SAFE-2). With DHE it names the prime: one of 10,000 bits takes a
 * second, in which nothing else runs. And it could ask for one renegotiation after the other.
 */
const CHEAP_HANDSHAKES = { ciphers: `${DEFAULT_CIPHERS}:!DHE`, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

/** How long a connection stays open that nothing is sent on. */
const KEPT_MS = 30_000;

/** Makes what opens connections. */
export type Dialler = (options: DialOptions) => buildConnector.connector;
type DialOptions = buildConnector.BuildOptions & { readonly lookup: LookupFunction };

export interface TransportParts {
  /** Default: the machine's own. */
  readonly resolver?: Resolver;
  /** Default: one that dials. Another shows what would be dialled, without a packet. */
  readonly dialler?: Dialler;
  /** So many connections stay open between requests. */
  readonly mostKept?: number;
}

export interface UndiciTransport extends Transport {
  /** How many connections are open. */
  readonly open: number;
}

/**
 * The Transport over real sockets: HTTP/1.1, connections reused per origin, redirects never followed, proxies in the
 * environment ignored (D-28).
 */
export function createUndiciTransport(
  guard: AddressGuard,
  connectTimeoutMs: number,
  { resolver = createSystemResolver(), dialler = buildConnector, mostKept }: TransportParts = {},
): UndiciTransport {
  const turns = new HandshakeTurns();
  const connections = new Connections((workspace) => {
    const dial = dialler({
      allowH2: false,
      timeout: connectTimeoutMs,
      lookup: guardedLookup(guard, resolver, workspace),
      // Said here, because the environment can weaken both of them for the whole process (HOOK-11).
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...CHEAP_HANDSHAKES,
    });
    const connect = limited(gated(workspace, turns, dial));
    return (origin) => new Client(origin, { ...CLIENT, connect });
  }, mostKept);
  const placeOf = memoized((url: string) => toPlace(checkUrl(url, guard)));
  const exchangesOf = createRegister();
  return {
    post: (request, signal) => {
      if (signal.aborted) return Promise.resolve(CANCELLED);
      return post(connections, placeOf(request.url), request, exchangesOf(signal));
    },
    close: () => connections.close(),
    get open() {
      return connections.open;
    },
  };
}

const CLIENT: Client.Options = {
  allowH2: false,
  // The deadline of each exchange is its own; undici's timers would only round it.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: KEPT_MS,
  // A receiver may ask for less, and not for more.
  keepAliveMaxTimeout: KEPT_MS,
  // Said here, because an option of the runtime can raise it for the whole process.
  maxHeaderSize: 16 * 1024,
};

/** Where to post to, read from the URL once. */
type Place = { readonly origin: string; readonly path: string } | { readonly refused: string };

function toPlace(admission: CheckedUrl): Place {
  if ('refused' in admission) return admission;
  const { origin, pathname, search } = admission.url;
  return { origin, path: pathname + search };
}

/** The exchanges under way that a signal ends: one listener for all of them, however many there are. */
function createRegister(): (signal: AbortSignal) => UnderWay<Exchange> {
  const register = new WeakMap<AbortSignal, UnderWay<Exchange>>();
  return (signal) => {
    const known = register.get(signal);
    if (known !== undefined) return known;
    const underWay = new UnderWay<Exchange>();
    register.set(signal, underWay);
    const cancelAll = (): void => {
      for (const exchange of underWay) exchange.cancel();
    };
    signal.addEventListener('abort', cancelAll, { once: true });
    return underWay;
  };
}

function post(
  connections: Connections,
  place: Place,
  request: PostRequest,
  underWay: UnderWay<Exchange>,
): Promise<PostResult> {
  if ('refused' in place) {
    return Promise.resolve({ kind: 'failed', failure: 'blocked_address', detail: place.refused });
  }
  const { origin, path } = place;
  return new Promise((resolve) => {
    const connection = connections.take(request.workspace, origin);
    const end = (result: PostResult): void => {
      connections.release(connection);
      resolve(result);
    };
    const exchange = new Exchange(request, (result) => {
      underWay.end(own);
      // By then undici is done with the answer. What is sent on the connection next waits a turn in which its peer may close it.
      process.nextTick(end, result);
    });
    const own = underWay.begin(exchange);
    const once = connections.stays(connection) ? {} : { reset: true };
    const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
    connection.client.dispatch({ path, ...once, method: 'POST', headers: request.headers, body }, exchange);
  });
}

/**
 * So many bytes of an answer are taken in, of whatever kind. What the parser counts (headers, body) ends an answer far
 * earlier; a reason phrase or a chunk extension it does not count, and one that never ends would keep a core busy for
 * the whole of the deadline.
 */
const ANSWER_LIMIT = 256 * 1024;
/**
 * So many bytes the parser gets at a time. It goes on to the end of a piece after it has found too many headers, and
 * makes an error for each that is left: in the 64 KB that a socket brings that is a tenth of a second without a turn
 * for anyone else, and a receiver could have it for every event, with a 200 in front.
 */
const PIECE = 4 * 1024;

/** Ends each connection that brings more than the limit for one request. */
function limited(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) limit(socket);
      callback(...result);
    });
}

/** The parser pulls with `read()`, and so what it gets is decided there; nothing but the parser reads this socket. */
function limit(socket: Socket): void {
  const read = socket.read.bind(socket);
  /** `bytesWritten` when it was last looked at: a change means another request, whose answer begins here. */
  let sent = 0;
  let taken = 0;
  socket.read = () => {
    if (socket.destroyed) return null;
    // Without a size when nothing is there: that asks the socket for more.
    const piece: Buffer | null = read(Math.min(socket.readableLength, PIECE) || undefined);
    // As most often: undici asks several times for each answer.
    if (piece === null) return null;
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten;
      taken = 0;
    }
    taken += piece.length;
    if (taken <= ANSWER_LIMIT) return piece;
    socket.destroy(new Error(`the answer is longer than ${ANSWER_LIMIT / 1024} KB`));
    return null;
  };
}
