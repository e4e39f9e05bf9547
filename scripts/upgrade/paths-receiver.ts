import { once } from 'node:events';
import { createServer } from 'node:http';

export interface PathsReceiver {
  readonly port: number;
  close(): void;
}

/** A receiver whose paths answer each in a way of their own: `/down` is 503, `/slow` never answers. */
export async function startPaths(): Promise<PathsReceiver> {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const earlier = seen.get(body) ?? 0;
      seen.set(body, earlier + 1);
      const status = statusOf(request.url ?? '', earlier);
      if (status !== undefined) response.writeHead(status).end('answer of the receiver');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    port: address.port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function statusOf(path: string, earlier: number): number | undefined {
  switch (path) {
    case '/slow':
      return undefined;
    case '/down':
    case '/off':
    case '/parked':
      return 503;
    case '/gone':
      return 400;
    case '/flaky':
      return earlier === 0 ? 503 : 200;
    default:
      return 200;
  }
}
