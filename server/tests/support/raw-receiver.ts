import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP server that does to each connection what it is told, and counts connections and bytes. */
export interface RawReceiver extends AsyncDisposable {
  readonly url: string;
  readonly connections: number;
  /** Every byte that arrived, as Latin-1 text. */
  readonly received: string;
}

export async function startRawReceiver(serve: (socket: Socket, received: string) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = '';
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let heard = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      heard += chunk.toString('latin1');
      if (isComplete(heard) && !socket.destroyed) {
        serve(socket, heard);
        heard = '';
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/hook`,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a request has arrived whole: an answer that comes earlier would cost the connection. */
function isComplete(request: string): boolean {
  const head = request.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
  return head >= 0 && request.length >= head + 4 + length;
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

/** A server that listens until the test is over; answers its port. */
export async function listening(server: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
}
