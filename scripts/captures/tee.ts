import { createServer, connect, type Socket } from 'node:net';
import { splitRequests } from './split.ts';

/** Stands between a client and the router, and keeps every byte that the client sends. */
export interface Tee extends AsyncDisposable {
  readonly url: string;
  /** All requests so far, in the order in which they began. */
  readonly requests: () => Buffer[];
}

export async function startTee(target: string): Promise<Tee> {
  const pieces: { readonly connection: Socket; readonly chunk: Buffer }[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const router = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, router]) {
      open.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    }
    client.on('data', (chunk) => pieces.push({ connection: client, chunk: Buffer.from(chunk) }));
    client.pipe(router).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the tee has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requestsOf(pieces),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Connections are used side by side, so each is put together first; then requests stand in the order of their first bytes. */
function requestsOf(pieces: readonly { readonly connection: Socket; readonly chunk: Buffer }[]): Buffer[] {
  const starts: { readonly order: number; readonly request: Buffer }[] = [];
  for (const own of Map.groupBy([...pieces.entries()], ([, { connection }]) => connection).values()) {
    const ends: { readonly end: number; readonly order: number }[] = [];
    let end = 0;
    for (const [order, { chunk }] of own) ends.push({ end: (end += chunk.length), order });
    let at = 0;
    for (const request of splitRequests(Buffer.concat(own.map(([, { chunk }]) => chunk)))) {
      const begun = at;
      starts.push({ order: ends.find((piece) => piece.end > begun)?.order ?? 0, request });
      at += request.length;
    }
  }
  return starts.toSorted((a, b) => a.order - b.order).map(({ request }) => request);
}
