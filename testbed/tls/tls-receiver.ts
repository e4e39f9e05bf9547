import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Identity } from './certificate.ts';
import { type TlsFault, tlsOptionsOf, type Unshaken } from './tls-fault.ts';

/** A TLS server with a fault. It answers 200 to whatever it can decrypt, and counts. */
export interface TlsReceiver extends AsyncDisposable {
  readonly url: string;
  readonly connections: number;
  /** Bytes that came through the encryption: 0 unless a client trusted the server. */
  readonly decrypted: number;
  readonly received: string;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

export async function startTlsReceiver(fault: TlsFault, authority: Identity, now: number): Promise<TlsReceiver> {
  const counted = { connections: 0, received: Buffer.alloc(0) };
  const sockets = new Set<Socket>();
  const server = serverFor(fault, authority, now, (chunk, socket) => {
    counted.received = Buffer.concat([counted.received, chunk]);
    if (!socket.destroyed) socket.write(OK);
  });
  server.on('connection', (socket: Socket) => {
    counted.connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${portOf(server)}/hook`,
    get connections() {
      return counted.connections;
    },
    get decrypted() {
      return counted.received.length;
    },
    get received() {
      return counted.received.toString('latin1');
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type OnDecrypted = (chunk: Buffer, socket: Socket) => void;

function serverFor(fault: TlsFault, authority: Identity, now: number, onDecrypted: OnDecrypted): Server {
  if (fault === 'handshake-stall' || fault === 'handshake-reset' || fault === 'no-tls') {
    return createServer((socket) => refuse(fault, socket));
  }
  const server = createTlsServer(tlsOptionsOf(fault, authority, now), (socket) => {
    socket.on('data', (chunk: Buffer) => onDecrypted(chunk, socket)).on('error', () => socket.destroy());
  });
  // A client that turns away is what most of these faults are for.
  return server.on('tlsClientError', () => undefined);
}

/** What comes is read, so that it shows when the client hangs up, and none of it can be decrypted. */
function refuse(fault: Unshaken, socket: Socket): void {
  socket.once('data', () => {
    if (fault === 'handshake-reset') socket.resetAndDestroy();
    if (fault === 'no-tls') socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
