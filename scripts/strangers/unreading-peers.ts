import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections that send a text in one piece, and read nothing. */
export async function sendAndNotRead(url: string, text: string, connections: number): Promise<Socket[]> {
  const sockets = Array.from({ length: connections }, () =>
    connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => {})
      .pause(),
  );
  await Promise.all(sockets.map(async (socket) => once(socket, 'connect').then(() => socket.write(text))));
  return sockets;
}

/** Resolves once every connection was ended by the other side. */
export async function ended(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => isEnded(socket)));
}

function isEnded(socket: Socket): Promise<unknown> {
  return socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.resume().once('close', resolve));
}
