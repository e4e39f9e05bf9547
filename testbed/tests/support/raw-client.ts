import { connect } from 'node:net';

/** How a connection ended, as the client's kernel tells it. */
export type End = 'fin' | 'reset';

/** A TCP client that hides nothing: what it sends and what it gets are bytes. */
export interface RawClient extends Disposable {
  readonly connected: Promise<void>;
  readonly send: (bytes: string | Uint8Array) => void;
  /** Everything that came so far. */
  readonly seen: () => string;
  /** Resolves when what came contains this. */
  readonly until: (text: string) => Promise<void>;
  readonly ended: Promise<End>;
}

export function rawClient(url: string): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const watchers = new Set<() => void>();
  const seen = () => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    for (const look of watchers) look();
  });
  return {
    connected: new Promise((resolve) => {
      socket.once('connect', () => resolve());
    }),
    send: (bytes) => void socket.write(bytes),
    seen,
    async until(text) {
      if (seen().includes(text)) return;
      await new Promise<void>((resolve, reject) => {
        const early = () => reject(new Error(`The connection ended before ${text} came; it brought ${seen()}`));
        const look = () => {
          if (!seen().includes(text)) return;
          watchers.delete(look);
          socket.off('close', early);
          resolve();
        };
        watchers.add(look);
        socket.once('close', early);
      });
    },
    ended: new Promise((resolve) => {
      socket.once('error', () => resolve('reset'));
      socket.once('end', () => resolve('fin'));
    }),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** A whole webhook request, as bytes. */
export function requestText(body: string, headers: readonly string[] = []): string {
  const lines = ['POST /hook HTTP/1.1', 'Host: receiver', `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
