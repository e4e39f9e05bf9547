import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';

export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** A listener on a port of its own. */
export async function serve(
  listener: RequestListener,
  change: (server: Server) => void = () => undefined,
): Promise<Served> {
  const server = createServer(listener);
  change(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
