import { createServer, type Socket } from 'node:net';
import { portOf } from './ports.ts';

/** What a fault script cannot say: bytes that no HTTP server would send. */
const RAW_FAULTS = {
  /** Takes nothing of the request out of its socket. */
  deaf: (socket) => void socket.pause(),
  'switching-protocols': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'status-600': (socket) => void socket.end('HTTP/1.1 600 What\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  'endless-reason': (socket) => flood(socket, 'HTTP/1.1 200 ', 'very '),
  'endless-headers': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'X-Filler: ...\r\n'),
  'endless-header-name': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'x'),
  'endless-interim': (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'endless-chunk-extension': (socket) => flood(socket, `${CHUNKED}1;x=`, 'y'),
  'endless-trailers': (socket) => flood(socket, `${CHUNKED}0\r\n`, 'X-Filler: ...\r\n'),
  'endless-body-without-length': (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', 'body '),
  /** Answers the next request before it is made. */
  'two-answers': (socket) => void socket.write(OK + OK),
} as const satisfies Record<string, (socket: Socket) => void>;

export type RawFault = keyof typeof RAW_FAULTS;

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const FLOOD_CHUNK = 64 * 1024;

/** Writes its beginning, and then the same again and again, as fast as it is taken, until the other side is gone. */
function flood(socket: Socket, beginning: string, again: string): void {
  const chunk = Buffer.from(again.repeat(Math.ceil(FLOOD_CHUNK / again.length)));
  socket.write(beginning);
  const more = (): void => {
    // Not in a loop: a peer that takes all would keep this one from ever seeing it leave.
    if (socket.destroyed) return;
    if (socket.write(chunk)) setImmediate(more);
    else socket.once('drain', more);
  };
  more();
}

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** Connections so far. */
  readonly connections: number;
}

/** Does to each connection what the fault is, once the first bytes of a request are there. */
export async function startRaw(fault: RawFault): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    if (fault === 'deaf') return RAW_FAULTS.deaf(socket);
    socket.once('data', () => {
      RAW_FAULTS[fault](socket);
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/hook`,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
